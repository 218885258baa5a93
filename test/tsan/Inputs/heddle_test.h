// Helpers of the end-to-end tests, for C and for C++.
//
// A test decides itself which access comes first and which comes later, and
// must do so behind the detector's back: a mutex, an atomic or a join used for
// that would order the accesses that the test wants unordered.
//
// The detector remembers the last few accesses for every 8 bytes, and reports no
// more than one race for them. So that no variable is in another one's way, each
// that matters is declared alignas(8).
#ifndef HEDDLE_TEST_H
#define HEDDLE_TEST_H

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef __cplusplus
#include <atomic>
#include <initializer_list>
extern "C" {
#endif

// The runtime's barrier for tests. It is made of a futex and no clock: for the
// detector it does not exist.
void __tsan_testonly_barrier_init(unsigned *barrier, unsigned count);
void __tsan_testonly_barrier_wait(unsigned *barrier);

// Called by the runtime for each report that it prints.
static int reports;
__attribute__((disable_sanitizer_instrumentation)) void __tsan_on_report(void *report) {
  (void)report;
  __atomic_fetch_add(&reports, 1, __ATOMIC_RELAXED);
}

#ifdef __cplusplus
}
#endif

// Ends the test as failed, with an exit code that is neither 0 nor a report's.
#define EXPECT(condition) ((condition) ? (void)0 : ExpectationFailed(#condition, __LINE__))

__attribute__((noinline, unused)) static void ExpectationFailed(const char *condition, int line) {
  fprintf(stderr, "line %d: expected %s\n", line, condition);
  _Exit(1);
}

// Keeps the hardware from reordering what two steps do, unseen by the detector.
__attribute__((noinline, disable_sanitizer_instrumentation)) static void HardwareFence(void) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

// Where all threads meet. Gives no happens-before.
__attribute__((unused)) static void InvisibleBarrier(unsigned *barrier) {
  HardwareFence();
  __tsan_testonly_barrier_wait(barrier);
  HardwareFence();
}

enum { T1 = 1, T2, T3, T4, kMaxThreads = 8 };

// One piece of a forced interleaving: what to do, and the thread that does it.
typedef struct Step {
  int thread;
  void (*run)(void);
} Step;

typedef struct Player {
  int thread;
  const Step *steps;
  int count;
  unsigned *barrier;
} Player;

__attribute__((unused)) static void *Play(void *argument) {
  const Player *player = (const Player *)argument;
  InvisibleBarrier(player->barrier);
  for (int i = 0; i < player->count; i++) {
    if (player->steps[i].thread == player->thread)
      player->steps[i].run();
    InvisibleBarrier(player->barrier);
  }
  return 0;
}

// Runs the steps one after the other as listed, each on the thread that it
// names. All threads exist before the first step and end after the last one, so
// that steps of different threads are ordered only by what they do themselves.
// The threads are numbered as in a report: T1 is the first one created.
// Returns how many reports that brought about.
__attribute__((unused)) static int RunSteps(const Step *steps, int count) {
  unsigned barrier;
  pthread_t threads[kMaxThreads];
  Player players[kMaxThreads];
  int last = 0, before = reports;
  for (int i = 0; i < count; i++)
    if (last < steps[i].thread)
      last = steps[i].thread;
  EXPECT(last < kMaxThreads);
  __tsan_testonly_barrier_init(&barrier, last);
  for (int i = T1; i <= last; i++) {
    players[i].thread = i;
    players[i].steps = steps;
    players[i].count = count;
    players[i].barrier = &barrier;
    EXPECT(!pthread_create(&threads[i], 0, Play, &players[i]));
  }
  for (int i = T1; i <= last; i++)
    EXPECT(!pthread_join(threads[i], 0));
  return reports - before;
}

// For a program with many cases: what the detector said of one of them.
__attribute__((unused)) static void Verdict(const char *name, int races) {
  fprintf(stderr, "%s: %s\n", name, races ? "race" : "no race");
}

#ifdef __cplusplus

// Short names, so that a litmus test reads like one.
using std::atomic;
using std::atomic_signal_fence;
using std::atomic_thread_fence;
constexpr std::memory_order relaxed = std::memory_order_relaxed;
constexpr std::memory_order consume = std::memory_order_consume;
constexpr std::memory_order acquire = std::memory_order_acquire;
constexpr std::memory_order release = std::memory_order_release;
constexpr std::memory_order acq_rel = std::memory_order_acq_rel;
constexpr std::memory_order seq_cst = std::memory_order_seq_cst;

inline int Interleave(std::initializer_list<Step> steps) {
  return RunSteps(steps.begin(), (int)steps.size());
}

// Runs body(0) ... body(count - 1) at the same time, each on a thread of its
// own, for tests whose verdict does not depend on the schedule.
template <typename Body> void Concurrently(int count, const Body &body) {
  struct Runner {
    const Body *body;
    int index;
    unsigned *barrier;
    pthread_t thread;
    static void *Run(void *argument) {
      const Runner *runner = (const Runner *)argument;
      InvisibleBarrier(runner->barrier);
      (*runner->body)(runner->index);
      return nullptr;
    }
  };
  unsigned barrier;
  __tsan_testonly_barrier_init(&barrier, count);
  Runner *runners = new Runner[count];
  for (int i = 0; i < count; i++) {
    runners[i].body = &body;
    runners[i].index = i;
    runners[i].barrier = &barrier;
    EXPECT(!pthread_create(&runners[i].thread, nullptr, Runner::Run, &runners[i]));
  }
  for (int i = 0; i < count; i++)
    EXPECT(!pthread_join(runners[i].thread, nullptr));
  delete[] runners;
}

inline double Seconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}
const double start_of_test = Seconds();

// A stress test takes as many rounds as it can in a second: threads that wait
// for each other get few done on a busy machine, and those prove something too.
inline bool OutOfTime() { return Seconds() - start_of_test > 1; }

// Waits until the condition holds. Returns false if that takes too long.
template <typename Condition> bool WaitUntil(const Condition &condition) {
  while (!condition()) {
    if (OutOfTime())
      return false;
    sched_yield();
  }
  return true;
}

#endif // __cplusplus
#endif // HEDDLE_TEST_H
