//===-- strategy_queue.h - First come, first served -----------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The queue strategy of C. Lidbury and A. F. Donaldson, "Sparse Record and Replay
// with Controlled Scheduling", PLDI 2019: threads go on in the order in which they
// come to their visible operations. It is close to what the program does by itself,
// costs the least, and depends on time; the log of its choices has the order.
//
// Where nobody comes, in a replay that has left its log, the thread goes on whose
// last turn is longest ago.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_SCHEDULE_STRATEGY_QUEUE_H
#define HEDDLE_SCHEDULE_STRATEGY_QUEUE_H

#include "heddle/schedule/strategy.h"

namespace __heddle {

template <class Memory> class QueueStrategy final : public Strategy<Memory> {
public:
  explicit QueueStrategy(const StrategyOptions &) {}

  bool FirstCome() const override { return true; }

  u32 Pick(const EnabledSet<Memory> &enabled, typename Strategy<Memory>::Next) override {
    u32 first = 0;
    for (u32 i = 1; i < enabled.Count(); i++)
      if (last_turns_[enabled[i]] < last_turns_[enabled[first]])
        first = i;
    return first;
  }

  void Begin(ThreadId thread) override {
    Require(thread == last_turns_.Size());
    last_turns_.Push(++turns_);
  }
  void Ran(ThreadId thread, const Operation &) override { last_turns_[thread] = ++turns_; }

private:
  Growable<u64, Memory> last_turns_; // by thread; its beginning counts as one
  u64 turns_ = 0;
};

} // namespace __heddle

#endif // HEDDLE_SCHEDULE_STRATEGY_QUEUE_H
