// What the tests of heddle/schedule share: enabled sets, and a strategy that picks
// among threads that are always ready.

#ifndef HEDDLE_TEST_UNIT_SCHEDULE_TESTING_H
#define HEDDLE_TEST_UNIT_SCHEDULE_TESTING_H

#include "heddle/schedule/strategy.h"

#include "choice_testing.h"

#include <cmath>
#include <map>
#include <vector>

namespace __heddle::testing_schedule {

using Memory = testing_choice::CountingMemory;

inline std::vector<ThreadId> ToVector(const EnabledSet<Memory> &enabled) {
  std::vector<ThreadId> threads;
  for (u32 i = 0; i < enabled.Count(); i++)
    threads.push_back(enabled[i]);
  return threads;
}

constexpr Operation kAnyOperation = {OperationKind::kFence, 0};

// Tells a strategy about threads that never wait for anything, as Scheduler would.
template <template <class> class AStrategy> class Course {
public:
  explicit Course(u32 threads, const StrategyOptions &options = {}) : strategy(options) {
    for (u32 i = 0; i < threads; i++)
      Create();
  }

  ThreadId Create() {
    ThreadId thread = ThreadId(next.size());
    next.push_back(kAnyOperation);
    strategy.Begin(thread);
    enabled.Add(thread);
    return thread;
  }
  void End(ThreadId thread) {
    enabled.Remove(thread);
    strategy.End(thread);
  }

  // Who is next, if nobody else has anything to say?
  ThreadId Pick() {
    enabled.SetCurrent(last);
    return enabled.Count() == 1 ? enabled[0] : enabled[strategy.Pick(enabled, {next.data()})];
  }
  void Ran(ThreadId thread) {
    strategy.Ran(thread, next[thread]);
    last = thread;
  }
  ThreadId Step() {
    ThreadId thread = Pick();
    Ran(thread);
    return thread;
  }
  std::vector<ThreadId> Steps(u32 count) {
    std::vector<ThreadId> threads;
    for (u32 i = 0; i < count; i++)
      threads.push_back(Step());
    return threads;
  }

  AStrategy<Memory> strategy;
  EnabledSet<Memory> enabled;
  std::vector<Operation> next;
  ThreadId last = kNoThread;
};

inline StrategyOptions Seed(u64 seed) {
  StrategyOptions options;
  options.seed = seed;
  return options;
}

// Whether an event with probability p can have happened so often, generously.
inline bool IsLikely(u64 count, u64 of, double p) {
  return std::abs(double(count) - p * double(of)) <= 4.5 * std::sqrt(double(of) * p * (1 - p));
}

// How often each thread occurs in what a strategy does is what it should be.
template <class Key> bool AreUniform(const std::map<Key, u64> &counts, u64 keys, u64 of) {
  if (counts.size() != keys)
    return false;
  for (const auto &entry : counts)
    if (!IsLikely(entry.second, of, 1.0 / double(keys)))
      return false;
  return true;
}

} // namespace __heddle::testing_schedule

#endif // HEDDLE_TEST_UNIT_SCHEDULE_TESTING_H
