// Feeds random sequences of operations to both engines. The input's bytes are
// the operations and the answers to all choices. Checked after each step: the order
// S exists, clock vectors say what paths say, loads of one thread never go backwards
// in what they read of another thread's stores to a location, an RMW reads a store
// that no other has read.

#include "../unit/mograph_inspector.h"
#include "heddle/model/buffer.h"
#include "heddle/model/mograph.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <set>

namespace {
using namespace __heddle;

constexpr u32 kThreads = 4, kLocations = 2;

struct Policy {
  using Clock = SmallClock<kThreads>;
  using Value = u64; // thread << 32 | ordinal of the store
  static void *Allocate(size_t bytes) { return malloc(bytes); }
  static void Free(void *memory) { free(memory); }
  static constexpr bool kConcurrent = false;
  static constexpr bool kSlotsReused = false;
};

[[noreturn]] void Fail(const std::string &what) {
  fprintf(stderr, "%s\n", what.c_str());
  abort();
}

class Input {
public:
  Input(const uint8_t *data, size_t size) : data_(data), size_(size) {}
  bool empty() const { return at_ >= size_; }
  u32 Below(u32 n) { return at_ < size_ ? data_[at_++] % n : 0; }

  u32 Read(u32 options, const Views &) { return Below(options); }
  u32 Place(u32 options) { return Below(options); }
  bool Spurious() { return Below(2); }

private:
  const uint8_t *data_;
  size_t size_, at_ = 0;
};

Order OrderOf(u32 n, bool load, bool store) {
  Order order = static_cast<Order>(n % 6);
  if (load && !store && IsRelease(order) && order != Order::kSeqCst)
    return order == Order::kAcqRel ? Order::kAcquire : Order::kRelaxed;
  if (store && !load && IsAcquire(order) && order != Order::kSeqCst)
    return order == Order::kAcqRel ? Order::kRelease : Order::kRelaxed;
  return order;
}

// What must hold of the values, whatever the model: a thread that has read a
// store of thread t reads no earlier store of t to that location any more.
class Coherence {
public:
  void Read(u32 thread, u32 location, u64 value) {
    u32 writer = value >> 32, ordinal = u32(value);
    u32 &last = last_[thread][location][writer];
    if (ordinal < last)
      Fail("a thread read a store of a thread after a later one of the same");
    last = ordinal;
  }
  void Modify(u32 location, u64 value) {
    if (!modified_.insert({location, value}).second)
      Fail("two read-modify-writes read the same store");
  }

private:
  u32 last_[kThreads][kLocations][kThreads + 1] = {};
  std::set<std::pair<u32, u64>> modified_;
};

template <class Engine, class Locations, class CheckFunction>
void Drive(Engine &engine, Locations &locations, std::deque<ModelThread<Policy>> &threads,
           Input input, CheckFunction check) {
  Coherence coherence;
  u32 ordinals[kThreads] = {};
  while (!input.empty()) {
    u32 kind = input.Below(6), t = input.Below(kThreads), x = input.Below(kLocations);
    u32 order = input.Below(6);
    ModelThread<Policy> *thread = &threads[t];
    u64 value = u64(t + 1) << 32 | (ordinals[t] + 1);
    switch (kind) {
    case 0:
      coherence.Read(t, x, engine.Load(thread, &locations[x], OrderOf(order, true, false), input));
      break;
    case 1:
      ordinals[t]++;
      check.Store(thread, x, value, OrderOf(order, false, true), input);
      break;
    case 2: {
      ordinals[t]++;
      u64 old = check.Rmw(thread, x, value, OrderOf(order, true, true), input);
      coherence.Read(t, x, old);
      coherence.Modify(x, old);
      break;
    }
    case 3: {
      u64 expected = check.Some(x), before = expected;
      Order failure = OrderOf(input.Below(6), true, false);
      bool weak = input.Below(2);
      if (engine.CompareExchange(thread, &locations[x], &expected, value,
                                 OrderOf(order, true, true), failure, weak, input)) {
        ordinals[t]++;
        coherence.Modify(x, before);
      } else if (!weak && expected == before) {
        Fail("a strong compare-exchange failed with the expected value");
      }
      coherence.Read(t, x, expected);
      break;
    }
    case 4:
      engine.Fence(thread, static_cast<Order>(order));
      break;
    case 5: { // a lock passes from one thread to another
      SmallClock<kThreads> lock;
      thread->ReleaseTo(&lock);
      threads[input.Below(kThreads)].Acquire(lock);
      break;
    }
    }
    check.Check();
  }
}

struct MographCheck {
  MographEngine<Policy> &engine;
  std::deque<MographEngine<Policy>::Location> &locations;
  u64 Rmw(ModelThread<Policy> *thread, u32 x, u64 value, Order order, Input &input) {
    return engine.Rmw(thread, &locations[x], [&](u64) { return value; }, order, input);
  }
  void Store(ModelThread<Policy> *thread, u32 x, u64 value, Order order, Input &input) {
    engine.Store(thread, &locations[x], value, order, input);
  }
  u64 Some(u32 x) { return locations[x].Latest(); }
  void Check() {
    for (auto &location : locations) {
      std::string wrong = MographInspector::Check(location);
      if (!wrong.empty())
        Fail(wrong);
    }
  }
};

struct BufferCheck {
  BufferEngine<Policy> &engine;
  std::deque<BufferEngine<Policy>::Location> &locations;
  u64 Rmw(ModelThread<Policy> *thread, u32 x, u64 value, Order order, Input &) {
    return engine.Rmw(thread, &locations[x], [&](u64) { return value; }, order);
  }
  void Store(ModelThread<Policy> *thread, u32 x, u64 value, Order order, Input &) {
    engine.Store(thread, &locations[x], value, order);
  }
  u64 Some(u32 x) { return locations[x].Latest(); }
  void Check() {}
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Input input(data, size);
  const u32 mode = input.Below(8);
  std::deque<ModelThread<Policy>> threads;
  for (u32 t = 0; t < kThreads; t++)
    threads.emplace_back(t);
  if (mode < 6) {
    MographOptions options;
    options.prune = mode & 1;
    options.window = mode & 2 ? 3 : 0;
    options.prune_interval = 1 + input.Below(4);
    if (mode == 4)
      options.seq_cst = SeqCstRules::kCxx11;
    if (mode == 5)
      options.max_seq_cst = 4;
    MographEngine<Policy> engine(options);
    std::deque<MographEngine<Policy>::Location> locations;
    for (u32 x = 0; x < kLocations; x++)
      locations.emplace_back(&engine, 0);
    for (auto &thread : threads)
      engine.Begin(&thread);
    Drive(engine, locations, threads, input, MographCheck{engine, locations});
  } else {
    BufferOptions options;
    options.history = 1 + input.Below(16);
    options.prune_interval = 1 + input.Below(2);
    if (mode == 7)
      options.release_sequence = ReleaseSequenceRules::kCxx11;
    BufferEngine<Policy> engine(options);
    std::deque<BufferEngine<Policy>::Location> locations;
    for (u32 x = 0; x < kLocations; x++)
      locations.emplace_back(0);
    for (auto &thread : threads)
      engine.Begin(&thread);
    Drive(engine, locations, threads, input, BufferCheck{engine, locations});
  }
  return 0;
}
