//===-- strategy_round_robin.h - One after the other ----------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each enabled thread performs one operation, in the order of creation, and then it
// is the first one's turn again. Nothing is random: the schedule to compare others
// with, in which as many threads as can be are in the middle of something.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_SCHEDULE_STRATEGY_ROUND_ROBIN_H
#define HEDDLE_SCHEDULE_STRATEGY_ROUND_ROBIN_H

#include "heddle/schedule/strategy.h"

namespace __heddle {

template <class Memory> class RoundRobinStrategy final : public Strategy<Memory> {
public:
  explicit RoundRobinStrategy(const StrategyOptions &) {}

  u32 Pick(const EnabledSet<Memory> &enabled, typename Strategy<Memory>::Next) override {
    u32 next = 0;
    for (u32 i = 1; i < enabled.Count(); i++)
      if (Distance(enabled[i]) < Distance(enabled[next]))
        next = i;
    return next;
  }

  void Ran(ThreadId thread, const Operation &) override { last_ = thread; }

private:
  // How far behind the last one a thread comes; numbers wrap around.
  u32 Distance(ThreadId thread) const { return thread - last_ - 1; }

  ThreadId last_ = kNoThread;
};

} // namespace __heddle

#endif // HEDDLE_SCHEDULE_STRATEGY_ROUND_ROBIN_H
