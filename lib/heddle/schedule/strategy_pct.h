//===-- strategy_pct.h - Priorities, and a few changes of them ------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// S. Burckhardt, P. Kothari, M. Musuvathi and S. Nagarakatte, "A Randomized
// Scheduler with Probabilistic Guarantees of Finding Bugs", ASPLOS 2010.
//
// The enabled thread of the highest priority runs. Threads have random priorities
// from the beginning; at d - 1 steps, drawn from the first k, the thread that is
// about to run falls to a priority below all of those, the i-th of them to the i-th
// lowest. A bug of depth d, one that d orderings of two operations each bring about,
// is found with a probability of at least 1 / (n k^(d-1)) for n threads: d is the
// option depth, k the option events.
//
// Where this departs from the paper:
// - A thread gets its priority when it is created, at a random place among the
//   others; their number need not be known.
// - A thread that yields falls below all others, or a loop that waits for one of
//   them would never end. A thread that has yielded and meets a change falls below
//   all others too.
// - So does the thread that runs when another k steps have gone by. The guarantee is
//   about the first k; after them, threads that keep each other busy must not
//   keep out the one that would stop them.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_SCHEDULE_STRATEGY_PCT_H
#define HEDDLE_SCHEDULE_STRATEGY_PCT_H

#include "heddle/schedule/priorities.h"
#include "heddle/schedule/strategy.h"

namespace __heddle {

template <class Memory> class PctStrategy final : public Strategy<Memory> {
public:
  explicit PctStrategy(const StrategyOptions &options)
      : random_(options.seed, kStrategyStreams), events_(options.events),
        changes_(options.depth - 1) {
    Require(options.depth >= 1 && options.depth <= StrategyOptions::kMaxDepth &&
            options.events >= 1);
    for (u32 i = 0; i < changes_; i++)
      Insert({1 + random_.Below64(events_), i}, i);
  }

  u32 Pick(const EnabledSet<Memory> &enabled, typename Strategy<Memory>::Next) override {
    u32 highest = priorities_.Highest(enabled);
    for (; IsChange(steps_ + 1); next_change_++) {
      Lower(enabled[highest]);
      highest = priorities_.Highest(enabled);
    }
    return highest;
  }

  void Begin(ThreadId thread) override { priorities_.Begin(thread, random_); }
  void Ran(ThreadId thread, const Operation &) override {
    steps_++;
    for (; IsChange(steps_); next_change_++) // if Pick was not asked
      Lower(thread);
    if (steps_ % events_ == 0)
      priorities_.Sink(thread);
  }
  void Yielded(ThreadId thread) override { priorities_.Sink(thread); }

private:
  struct Change {
    u64 step;
    u32 number; // of the priority that the thread falls to
  };

  // Keeps the first `count` in the order of their steps.
  void Insert(const Change &change, u32 count) {
    u32 at = count;
    for (; at && change_[at - 1].step > change.step; at--)
      change_[at] = change_[at - 1];
    change_[at] = change;
  }
  bool IsChange(u64 step) const {
    return next_change_ < changes_ && change_[next_change_].step == step;
  }

  // By the change that is next.
  void Lower(ThreadId thread) {
    if (!priorities_.Lower(thread, change_[next_change_].number))
      priorities_.Sink(thread);
  }

  Random random_;
  const u64 events_;
  const u32 changes_;
  Change change_[StrategyOptions::kMaxDepth - 1];
  u32 next_change_ = 0;
  u64 steps_ = 0;
  Priorities<Memory> priorities_;
};

} // namespace __heddle

#endif // HEDDLE_SCHEDULE_STRATEGY_PCT_H
