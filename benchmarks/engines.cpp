// What an operation costs in the memory model's engines, by themselves: no
// threads, no instrumentation.
//
//   engines [--quick] [--weak]
//   engines --flat [OPERATIONS]
//
// Threads take turns at random, and perform a mix of loads, stores,
// read-modify-writes, compare-exchanges and fences of all orders on one location
// or on 10,000. Each row is a number of operations: the cost of the last tenth of
// them, so that a cost that grows with the history shows, and the memory held at
// the end. The tenth is timed in ten pieces, and the median counts: what else runs
// on the machine takes its caches now and then. With --weak no operation is seq_cst. A loop of
// plain std::atomic operations of the same mix, in the same run, says what kind of machine it was.

#include "heddle/choice/random.h"
#include "heddle/model/buffer.h"
#include "heddle/model/mograph.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <malloc.h>

namespace {

using namespace __heddle;

size_t allocated; // by the engines, now

template <u32 kThreads> struct BenchPolicy {
  using Clock = SmallClock<kThreads>;
  using Value = u64;
  static void *Allocate(size_t bytes) {
    void *memory = malloc(bytes);
    allocated += malloc_usable_size(memory);
    return memory;
  }
  static void Free(void *memory) {
    allocated -= malloc_usable_size(memory);
    free(memory);
  }
  static constexpr bool kConcurrent = false;
  static constexpr bool kSlotsReused = false;
};

// Time of this thread, not of the machine: what else runs there is no matter.
double Now() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1e9 + now.tv_nsec;
}

struct Choices {
  Random &random;
  u32 Read(u32 options, const Views &) { return random.Below(options); }
  u32 Place(u32 options) { return random.Below(options); }
  bool Spurious() { return random.Below(8) == 0; }
};

// What one step does, drawn at random: the same for both engines.
struct Step {
  u32 thread, location, kind;
  Order order;
};

bool weak; // --weak

Step Draw(Random &random, u32 threads, u32 locations) {
  static const Order kOrders[] = {Order::kRelaxed, Order::kRelaxed,
                                  Order::kAcquire, Order::kRelease,
                                  Order::kAcqRel,  weak ? Order::kRelaxed : Order::kSeqCst};
  return {random.Below(threads), random.Below(locations), random.Below(20),
          kOrders[random.Below(6)]};
}

Order LoadOrder(Order order) {
  return order == Order::kRelease  ? Order::kRelaxed
         : order == Order::kAcqRel ? Order::kAcquire
                                   : order;
}
Order StoreOrder(Order order) {
  return order == Order::kAcquire  ? Order::kRelaxed
         : order == Order::kAcqRel ? Order::kRelease
                                   : order;
}

template <class Policy> struct Buffer {
  using Engine = BufferEngine<Policy>;
  static constexpr const char *kName = "buffer";
  Engine engine;
  std::deque<typename Engine::Location> locations;
  explicit Buffer(u32 count, u32 = 0) {
    for (u32 i = 0; i < count; i++)
      locations.emplace_back(0);
  }
  void Begin(ModelThread<Policy> *t) { engine.Begin(t); }
  void Store(ModelThread<Policy> *t, u32 x, u64 value, Order order, Choices) {
    engine.Store(t, &locations[x], value, order);
  }
  u64 Rmw(ModelThread<Policy> *t, u32 x, Order order, Choices) {
    return engine.Rmw(t, &locations[x], [](u64 v) { return v + 1; }, order);
  }
};

template <class Policy> struct Mograph {
  using Engine = MographEngine<Policy>;
  static constexpr const char *kName = "mograph";
  Engine engine;
  std::deque<typename Engine::Location> locations;
  static MographOptions Options(u32 window) {
    MographOptions options;
    options.window = window;
    return options;
  }
  explicit Mograph(u32 count, u32 window = 32) : engine(Options(window)) {
    for (u32 i = 0; i < count; i++)
      locations.emplace_back(&engine, 0);
  }
  void Begin(ModelThread<Policy> *t) { engine.Begin(t); }
  void Store(ModelThread<Policy> *t, u32 x, u64 value, Order order, Choices choices) {
    engine.Store(t, &locations[x], value, order, choices);
  }
  u64 Rmw(ModelThread<Policy> *t, u32 x, Order order, Choices choices) {
    return engine.Rmw(t, &locations[x], [](u64 v) { return v + 1; }, order, choices);
  }
};

constexpr int kPieces = 10; // of the tenth that is timed

template <u32 kThreads, template <class> class Kind> void Measure(u32 locations, u64 largest) {
  using Policy = BenchPolicy<kThreads>;
  Kind<Policy> model(locations);
  std::deque<ModelThread<Policy>> threads;
  for (u32 t = 0; t < kThreads; t++) {
    threads.emplace_back(t);
    model.Begin(&threads.back());
  }
  Random random(1);
  Choices choices{random};
  u64 done = 0;
  for (u64 target = 10000; target <= largest; target *= 10) {
    double times[kPieces + 1];
    const u64 piece = (target - done) / (10 * kPieces), from = target - piece * kPieces;
    for (; done < target; done++) {
      if (done >= from && (done - from) % piece == 0)
        times[(done - from) / piece] = Now();
      Step step = Draw(random, kThreads, locations);
      auto *t = &threads[step.thread];
      auto *x = &model.locations[step.location];
      if (step.kind < 8) {
        model.engine.Load(t, x, LoadOrder(step.order), choices);
      } else if (step.kind < 13) {
        model.Store(t, step.location, done, StoreOrder(step.order), choices);
      } else if (step.kind < 16) {
        model.Rmw(t, step.location, step.order, choices);
      } else if (step.kind < 18) {
        u64 expected = done;
        model.engine.CompareExchange(t, x, &expected, done, step.order, LoadOrder(step.order),
                                     false, choices);
      } else {
        model.engine.Fence(t, step.order);
      }
    }
    times[kPieces] = Now();
    for (int i = 0; i < kPieces; i++)
      times[i] = (times[i + 1] - times[i]) / piece;
    std::sort(times, times + kPieces);
    printf("%-8s %3u threads %6u locations %9llu operations %8.1f ns/op %9.1f MB\n",
           Kind<Policy>::kName, kThreads, locations, done, times[kPieces / 2], allocated / 1e6);
    fflush(stdout);
  }
}

void MeasureAtomics() {
  static std::atomic<u64> x;
  Random random(1);
  const u64 kCount = 10000000;
  u64 sum = 0;
  double start = Now();
  for (u64 i = 0; i < kCount; i++) {
    Step step = Draw(random, 8, 1);
    if (step.kind < 8)
      sum += x.load(std::memory_order_acquire);
    else if (step.kind < 13)
      x.store(i, std::memory_order_release);
    else if (step.kind < 18)
      sum += x.fetch_add(1);
    else
      std::atomic_thread_fence(std::memory_order_seq_cst);
  }
  double total = Now() - start;
  start = Now();
  for (u64 i = 0; i < kCount; i++)
    sum += Draw(random, 8, 1).kind;
  double drawing = Now() - start;
  printf(
      "std::atomic, one thread: %.1f ns/op; drawing a step (part of every figure): %.1f ns (%d)\n",
      (total - drawing) / kCount, drawing / kCount, int(sum & 1));
}

// Threads that meet in a few objects and never synchronise, or only by seq_cst: the
// engine may not remember more and more.
struct Meeting {
  const char *name;
  u32 locations;
  Order order;
  bool fence, rmw;
};
const Meeting kMeetings[] = {
    {"relaxed RMWs of a counter", 1, Order::kRelaxed, false, true},
    {"relaxed loads and stores of four objects", 4, Order::kRelaxed, false, false},
    {"seq_cst RMWs of a counter", 1, Order::kSeqCst, false, true},
    {"seq_cst loads and stores of four objects", 4, Order::kSeqCst, false, false},
    {"seq_cst fences between relaxed loads and stores", 2, Order::kRelaxed, true, false},
};

template <template <class> class Kind> void MeasureMeeting(const Meeting &meeting, u64 largest) {
  using Policy = BenchPolicy<2>;
  Kind<Policy> model(meeting.locations, /*window=*/0);
  std::deque<ModelThread<Policy>> threads;
  for (u32 t = 0; t < 2; t++) {
    threads.emplace_back(t);
    model.Begin(&threads.back());
  }
  Random random(1);
  Choices choices{random};
  double start = Now();
  u64 done = 0;
  printf("%-8s %-48s", Kind<Policy>::kName, meeting.name);
  for (u64 target = largest / 100; target && target <= largest; target *= 10) {
    const u64 before = done;
    for (; done < target; done++) {
      const u32 t = random.Below(2), x = random.Below(meeting.locations);
      if (meeting.rmw)
        model.Rmw(&threads[t], x, meeting.order, choices);
      else if (random.Below(2))
        model.Store(&threads[t], x, done, meeting.order, choices);
      else
        model.engine.Load(&threads[t], &model.locations[x], meeting.order, choices);
      if (meeting.fence)
        model.engine.Fence(&threads[t], Order::kSeqCst);
    }
    const double now = Now();
    printf("  %.0e: %5.1f ns %7.3f MB", double(target), (now - start) / (done - before),
           allocated / 1e6);
    fflush(stdout);
    start = now;
  }
  printf("\n");
}

template <u32 kThreads> void MeasureThreads(u64 largest) {
  for (u32 locations : {1u, 10000u}) {
    Measure<kThreads, Buffer>(locations, largest);
    Measure<kThreads, Mograph>(locations, largest);
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc > 1 && argc < 4 && !strcmp(argv[1], "--flat")) {
    const u64 operations = argc == 3 ? strtoull(argv[2], nullptr, 10) : 100000000;
    for (const Meeting &meeting : kMeetings) {
      MeasureMeeting<Buffer>(meeting, operations);
      MeasureMeeting<Mograph>(meeting, operations);
    }
    return 0;
  }
  bool quick = false;
  for (int i = 1; i < argc; i++) {
    quick |= !strcmp(argv[i], "--quick");
    weak |= !strcmp(argv[i], "--weak");
    if (strcmp(argv[i], "--quick") && strcmp(argv[i], "--weak")) {
      fprintf(stderr, "usage: engines [--quick] [--weak] | --flat [OPERATIONS]\n");
      return 2;
    }
  }
  u64 largest = quick ? 100000 : 10000000;
  MeasureAtomics();
  MeasureThreads<2>(largest);
  MeasureThreads<8>(largest);
  MeasureThreads<32>(largest);
}
