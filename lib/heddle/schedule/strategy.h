//===-- strategy.h - Which thread goes on ---------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a scheduling strategy is asked and told. A strategy is one file that
// defines one class; strategies.h lists them all.
//
// All that a strategy may depend on is its options, and what it was told through
// this interface: the same program and the same seed give the same schedule.
// Threads are known by their order of creation, objects by being equal or not.
//
// A strategy need not be asked each time: not if only one thread can run, and not
// while a log is replayed. It is told what has run all the same, and goes by that.
//
// The functions are not pure for the reason given in choice_stream.h.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_SCHEDULE_STRATEGY_H
#define HEDDLE_SCHEDULE_STRATEGY_H

#include "heddle/choice/random.h"
#include "heddle/schedule/enabled_set.h"

namespace __heddle {

struct StrategyOptions {
  static constexpr u32 kMaxDepth = 100;
  static constexpr u32 kMaxHistory = 1000000;
  static constexpr u64 kMaxEvents = u64(1) << 40;

  u64 seed = 0;
  u32 depth = 3;                                          // of bugs to be found (pct, pctwm)
  u32 history = 1;                                        // newest stores to be read (pctwm)
  u64 events = 1000;                                      // visible operations to be expected
  Probability switch_probability = Probability::Always(); // of drawing anew after an operation
  // Visible operations to be expected of each thread, in the order of creation, as
  // counted in an earlier run (urw). Must live as long as the strategy.
  const u64 *thread_events = nullptr;
  u32 thread_events_count = 0;
};

// The streams of Random that belong to strategies; those before are the choosers'.
constexpr u64 kStrategyStreams = 64;

template <class Memory> class Strategy {
public:
  // The index in `enabled`, which has two members at least, of the thread that
  // goes on. `next` tells what a thread is about to do; only if NeedsNext().
  struct Next {
    const Operation *by_thread;
    const Operation &operator[](ThreadId thread) const { return by_thread[thread]; }
  };
  virtual u32 Pick(const EnabledSet<Memory> &enabled, Next next) {
    (void)enabled, (void)next;
    return 0;
  }

  // Whether it must know what each enabled thread is about to do. If so, a choice
  // is made when all of them have come to a visible operation, and threads run
  // one at a time.
  virtual bool NeedsNext() const { return false; }

  // Whether the first thread to come to a visible operation is to be the next,
  // instead of asking Pick. Such a schedule depends on time; it is repeated from
  // a log of its choices.
  virtual bool FirstCome() const { return false; }

  // Which of the stores that a load of the thread may read it reads, 0 being the
  // newest; or one that the thread knows of already, or any.
  static constexpr u32 kAnyRead = ~0u, kViewRead = ~0u - 1;
  virtual u32 PickRead(ThreadId thread, u32 options) {
    (void)thread, (void)options;
    return kAnyRead;
  }

  virtual void Begin(ThreadId thread) { (void)thread; }
  virtual void End(ThreadId thread) { (void)thread; }
  // The thread has performed an operation.
  virtual void Ran(ThreadId thread, const Operation &operation) { (void)thread, (void)operation; }
  // The thread waits for others to do something: it sleeps, yields, or loads the
  // same value over and over. All strategies must let others go on.
  virtual void Yielded(ThreadId thread) { (void)thread; }

protected:
  constexpr Strategy() = default;
  ~Strategy() = default;
};

} // namespace __heddle

#endif // HEDDLE_SCHEDULE_STRATEGY_H
