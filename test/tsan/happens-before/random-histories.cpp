// Thousands of random histories of atomic operations, fences and plain accesses
// by four threads, executed step by step; every verdict is compared with an
// independent reading of the standard: relations over events, no clocks.
//
// The order of the steps is forced by futexes that the runtime cannot see. So every load reads the latest store, and happens-before follows from the
// history alone. Each plain variable is written once and read once: a report
// must come up at the read exactly if the write does not happen before it.
//
// RUN: %clangxx_heddle -O2 %s -o %t
// RUN: env TSAN_OPTIONS=symbolize=0:log_path=/dev/null:suppress_equal_stacks=0:exitcode=0:history_size=16 %t cxx20 1 4000
// RUN: env TSAN_OPTIONS=symbolize=0:log_path=/dev/null:suppress_equal_stacks=0:exitcode=0:history_size=16:release_sequence=cxx11 %t cxx11 2 4000

#include <bitset>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <linux/futex.h>
#include <random>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

#define HIDDEN __attribute__((disable_sanitizer_instrumentation))

constexpr int kThreads = 4, kAtomics = 2, kSteps = 32;

enum class Kind { kLoad, kStore, kRmw, kCasSucceeds, kCasFails, kFence, kWrite, kRead };

struct Event {
  Kind kind;
  int thread;
  int order;    // __ATOMIC_*; of a failing compare-exchange, the failure order
  int variable; // an atomic, or a plain variable
};

//===-- The standard, in relations ----------------------------------------===//

class Standard {
public:
  Standard(const std::vector<Event> &events, bool cxx11) : events_(events), cxx11_(cxx11) {
    for (size_t b = 0; b < events_.size(); b++)
      for (size_t a = 0; a < b; a++)
        if (SequencedBefore(a, b) || SynchronisesWith(a, b))
          before_[b] |= before_[a], before_[b][a] = true;
  }

  bool HappensBefore(size_t a, size_t b) const { return before_[b][a]; }

private:
  bool SequencedBefore(size_t a, size_t b) const {
    return a < b && events_[a].thread == events_[b].thread;
  }
  bool Stores(size_t e) const {
    Kind kind = events_[e].kind;
    return kind == Kind::kStore || IsRmw(e);
  }
  bool IsRmw(size_t e) const {
    return events_[e].kind == Kind::kRmw || events_[e].kind == Kind::kCasSucceeds;
  }
  bool Loads(size_t e) const {
    return events_[e].kind == Kind::kLoad || events_[e].kind == Kind::kCasFails || IsRmw(e);
  }
  bool Fence(size_t e) const { return events_[e].kind == Kind::kFence; }
  bool Releases(size_t e) const {
    int order = events_[e].order;
    return (Stores(e) || Fence(e)) && (order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL ||
                                       order == __ATOMIC_SEQ_CST);
  }
  bool Acquires(size_t e) const {
    int order = events_[e].order;
    return (Loads(e) || Fence(e)) && (order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME ||
                                      order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST);
  }

  // [intro.races]: whether the store that `load` reads is in the release
  // sequence that `head` heads, or would head if it released.
  bool ReadsSequence(size_t head, size_t load) const {
    if (!Stores(head) || !Loads(load) || events_[head].variable != events_[load].variable)
      return false;
    for (size_t e = head + 1; e < load; e++) {
      bool continues =
          IsRmw(e) || (cxx11_ && events_[e].thread == events_[head].thread);
      if (Stores(e) && events_[e].variable == events_[head].variable && !continues)
        return false;
    }
    return head < load;
  }

  // [atomics.order] and [atomics.fences]: `a` may be a releasing store or a
  // fence before a store; `b` an acquiring load or a fence after a load.
  bool SynchronisesWith(size_t a, size_t b) const {
    if (!Releases(a) || !Acquires(b))
      return false;
    for (size_t store = a; store < b; store++) {
      if (Fence(a) ? !SequencedBefore(a, store) : store != a)
        continue;
      for (size_t load = store + 1; load <= b; load++)
        if ((Fence(b) ? SequencedBefore(load, b) : load == b) && ReadsSequence(store, load))
          return true;
    }
    return false;
  }

  const std::vector<Event> &events_;
  bool cxx11_;
  std::bitset<kSteps> before_[kSteps]; // [b][a]: a happens before b
};

//===-- A history at random -----------------------------------------------===//

class Generator {
public:
  explicit Generator(unsigned seed) : random_(seed) {}

  std::vector<Event> Next() {
    std::vector<Event> events;
    std::vector<Event> unread;
    const int threads = 2 + Below(kThreads - 1), variables = 1 + Below(kAtomics);
    for (int step = 0; step < kSteps; step++) {
      Event event = {static_cast<Kind>(Below(8)), Below(threads), kOrders[Below(5)],
                     Below(variables)};
      if (event.kind == Kind::kWrite) {
        event.variable = step;
        unread.push_back(event);
      } else if (event.kind == Kind::kRead) {
        if (unread.empty())
          continue;
        size_t which = Below(unread.size());
        event.variable = unread[which].variable;
        unread.erase(unread.begin() + which);
      } else {
        event.order = Allowed(event.kind, event.order);
      }
      events.push_back(event);
    }
    return events;
  }

private:
  static constexpr int kOrders[] = {__ATOMIC_RELAXED, __ATOMIC_ACQUIRE, __ATOMIC_RELEASE,
                                    __ATOMIC_ACQ_REL, __ATOMIC_SEQ_CST};

  int Below(int n) { return random_() % n; }

  // The order itself, or the part of it that such an operation can have.
  static int Allowed(Kind kind, int order) {
    if (kind == Kind::kStore)
      return order == __ATOMIC_ACQUIRE   ? __ATOMIC_RELAXED
             : order == __ATOMIC_ACQ_REL ? __ATOMIC_RELEASE
                                         : order;
    if (kind == Kind::kLoad || kind == Kind::kCasFails)
      return order == __ATOMIC_RELEASE   ? __ATOMIC_RELAXED
             : order == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE
                                         : order;
    return order;
  }

  std::mt19937 random_;
};

//===-- Executing it ------------------------------------------------------===//
//
// Nothing below is instrumented: it calls the runtime as instrumented code would.

extern "C" {
long __tsan_atomic64_load(const volatile long *, int);
void __tsan_atomic64_store(volatile long *, long, int);
long __tsan_atomic64_fetch_add(volatile long *, long, int);
int __tsan_atomic64_compare_exchange_strong(volatile long *, long *, long, int, int);
void __tsan_atomic_thread_fence(int);
void __tsan_read8(void *);
void __tsan_write8(void *);
}

static const Event *script; // of the history under way
static long *atomics;       // fresh for each history
static long *plains;
static int length;
static int step; // the one under way
static bool reported[kSteps]; // at this step
static int reports;

extern "C" HIDDEN void __tsan_on_report(void *) { reports++; }

HIDDEN static void Execute(const Event &event) {
  long *x = &atomics[event.variable];
  switch (event.kind) {
  case Kind::kLoad:
    __tsan_atomic64_load(x, event.order);
    break;
  case Kind::kStore:
    __tsan_atomic64_store(x, 1, event.order);
    break;
  case Kind::kRmw:
    __tsan_atomic64_fetch_add(x, 1, event.order);
    break;
  case Kind::kCasSucceeds: {
    long expected = *x;
    if (!__tsan_atomic64_compare_exchange_strong(x, &expected, 7, event.order, __ATOMIC_RELAXED))
      abort();
    break;
  }
  case Kind::kCasFails: {
    long expected = -1;
    if (__tsan_atomic64_compare_exchange_strong(x, &expected, 7, __ATOMIC_SEQ_CST, event.order))
      abort();
    break;
  }
  case Kind::kFence:
    __tsan_atomic_thread_fence(event.order);
    break;
  case Kind::kWrite:
    __tsan_write8(&plains[event.variable]);
    break;
  case Kind::kRead:
    __tsan_read8(&plains[event.variable]);
    break;
  }
}

// Whose turn it is: a thread's, the main thread's (kThreads), or everybody's, to
// end. A futex per thread, since nobody but the next one need wake up.
static int turns[kThreads + 1];
static bool over;

HIDDEN static void Await(int self) {
  while (!__atomic_load_n(&turns[self], __ATOMIC_ACQUIRE))
    syscall(SYS_futex, &turns[self], FUTEX_WAIT_PRIVATE, 0, nullptr);
  __atomic_store_n(&turns[self], 0, __ATOMIC_RELAXED);
}

HIDDEN static void Give(int other) {
  __atomic_store_n(&turns[other], 1, __ATOMIC_RELEASE);
  syscall(SYS_futex, &turns[other], FUTEX_WAKE_PRIVATE, 1);
}

HIDDEN static void Work(int self) {
  for (Await(self); !over; Await(self)) {
    while (step < length && script[step].thread == self) {
      int before = reports;
      Execute(script[step]);
      reported[step] = reports != before;
      step++;
    }
    Give(step < length ? script[step].thread : kThreads);
  }
}

HIDDEN static void Run(const std::vector<Event> &events) {
  script = events.data();
  length = events.size();
  step = 0;
  memset(reported, 0, sizeof reported);
  Give(script[0].thread);
  Await(kThreads);
}

HIDDEN static void Finish() {
  over = true;
  for (int t = 0; t < kThreads; t++)
    Give(t);
}

//===-- Comparing ---------------------------------------------------------===//

static void Print(const std::vector<Event> &events) {
  static const char *const kinds[] = {"load", "store", "rmw", "cas", "failing cas", "fence",
                                      "write", "read"};
  static const char *const orders[] = {"relaxed", "consume", "acquire", "release", "acq_rel",
                                       "seq_cst"};
  for (size_t i = 0; i < events.size(); i++) {
    const Event &event = events[i];
    bool plain = event.kind >= Kind::kWrite;
    printf("  %2zu: T%d %s %s %s%d%s\n", i, event.thread, kinds[static_cast<int>(event.kind)],
           plain ? "" : orders[event.order], plain ? "p" : "x", event.variable,
           reported[i] ? "  <- reported" : "");
  }
}

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  const bool cxx11 = !strcmp(argv[1], "cxx11");
  const int histories = atoi(argv[3]);
  Generator generator(atoi(argv[2]));
  std::vector<long> all_atomics(histories * kAtomics), all_plains(histories * kSteps);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; t++)
    threads.emplace_back(Work, t);
  int racy = 0, ordered = 0, wrong = 0;
  for (int i = 0; i < histories && wrong < 3; i++) {
    std::vector<Event> events = generator.Next();
    atomics = &all_atomics[i * kAtomics];
    plains = &all_plains[i * kSteps];
    Run(events);
    Standard standard(events, cxx11);
    for (size_t read = 0; read < events.size(); read++) {
      if (events[read].kind != Kind::kRead)
        continue;
      size_t write = 0;
      while (events[write].kind != Kind::kWrite || events[write].variable != events[read].variable)
        write++;
      bool race = !standard.HappensBefore(write, read);
      (race ? racy : ordered)++;
      if (race != reported[read]) {
        printf("%s, history %d: step %zu must%s race with step %zu\n", argv[1], i, read,
               race ? "" : " not", write);
        Print(events);
        wrong++;
        break;
      }
    }
  }
  Finish();
  for (std::thread &thread : threads)
    thread.join();
  printf("%s: %d racy and %d ordered pairs, %d wrong\n", argv[1], racy, ordered, wrong);
  return wrong ? 1 : 0;
}
