//===-- yielding_strategy.h - A strategy that holds yielders back ---------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What strategies have in common that draw from the threads which are not held back by
// a yield (yields.h), and have nothing else to remember of them.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_SCHEDULE_YIELDING_STRATEGY_H
#define HEDDLE_SCHEDULE_YIELDING_STRATEGY_H

#include "heddle/schedule/strategy.h"
#include "heddle/schedule/yields.h"

namespace __heddle {

template <class Memory> class YieldingStrategy : public Strategy<Memory> {
public:
  void Begin(ThreadId thread) override { yields_.Begin(thread); }
  void Ran(ThreadId thread, const Operation &) override { yields_.Ran(thread); }
  void Yielded(ThreadId thread) override { yields_.Yielded(thread); }

protected:
  // The place of one of those that Yields::Update has counted, from 0.
  u32 PlaceOf(const EnabledSet<Memory> &enabled, u32 which) const {
    for (u32 i = 0;; i++)
      if (!yields_.HeldBack(enabled[i]) && which-- == 0)
        return i;
  }

  Yields<Memory> yields_;
};

} // namespace __heddle

#endif // HEDDLE_SCHEDULE_YIELDING_STRATEGY_H
