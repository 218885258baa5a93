//===-- strategy_random.h - Any thread, as likely as another --------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The random strategy of C. Lidbury and A. F. Donaldson, "Sparse Record and Replay
// with Controlled Scheduling", PLDI 2019: each enabled thread is as likely to be
// the next. P. Thomson, A. F. Donaldson and A. Betts, "Concurrency Testing Using
// Controlled Schedulers", ACM TOPC 2016, found it hard to beat.
//
// With a switch probability p below 1 the thread that has just run goes on with
// probability 1 - p, and one of all is drawn with probability p: longer stretches
// of one thread, as on a machine that preempts now and then. A thread that has
// yielded is not among those that are drawn from, see yields.h.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_SCHEDULE_STRATEGY_RANDOM_H
#define HEDDLE_SCHEDULE_STRATEGY_RANDOM_H

#include "heddle/schedule/yielding_strategy.h"

namespace __heddle {

template <class Memory> class RandomStrategy final : public YieldingStrategy<Memory> {
  using YieldingStrategy<Memory>::yields_;

public:
  explicit RandomStrategy(const StrategyOptions &options)
      : threads_(options.seed, kStrategyStreams), switches_(options.seed, kStrategyStreams + 1),
        switch_probability_(options.switch_probability) {}

  u32 Pick(const EnabledSet<Memory> &enabled, typename Strategy<Memory>::Next) override {
    u32 free = yields_.Update(enabled);
    ThreadId current = enabled.Current();
    if (!switches_.Chance(switch_probability_) && current != kNoThread &&
        !yields_.HeldBack(current))
      return 0;
    return this->PlaceOf(enabled, threads_.Below(free));
  }

private:
  Random threads_, switches_;
  const Probability switch_probability_;
};

} // namespace __heddle

#endif // HEDDLE_SCHEDULE_STRATEGY_RANDOM_H
