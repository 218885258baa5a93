//===-- strategy_pos.h - A priority for each operation --------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// X. Yuan, J. Yang and R. Gu, "Partial Order Aware Concurrency Sampling", CAV 2018.
//
// The operation that each thread is about to perform has a random priority, and the
// one with the highest runs. Then the thread's next operation gets a priority, and
// those that are in conflict with the one that has run get new ones. Operations that
// commute keep theirs: schedules that differ in nothing but the order of such
// operations are not tried again and again, and the order of each pair in conflict
// is close to being drawn by itself.
//
// Where this departs from the paper: a thread that has yielded is held back, see
// yields.h. The operations of a thread that cannot run take part in conflicts.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_SCHEDULE_STRATEGY_POS_H
#define HEDDLE_SCHEDULE_STRATEGY_POS_H

#include "heddle/schedule/strategy.h"
#include "heddle/schedule/yields.h"

namespace __heddle {

template <class Memory> class PosStrategy final : public Strategy<Memory> {
public:
  explicit PosStrategy(const StrategyOptions &options) : random_(options.seed, kStrategyStreams) {}

  bool NeedsNext() const override { return true; }

  u32 Pick(const EnabledSet<Memory> &enabled, typename Strategy<Memory>::Next next) override {
    yields_.Update(enabled);
    u32 highest = kNoThread;
    for (u32 i = 0; i < enabled.Count(); i++) {
      ThreadId thread = enabled[i];
      Prepare(pending_[thread], next[thread]);
      if (!yields_.HeldBack(thread) &&
          (highest == kNoThread || pending_[thread].priority > pending_[enabled[highest]].priority))
        highest = i;
    }
    return highest;
  }

  void Begin(ThreadId thread) override {
    yields_.Begin(thread);
    pending_.Push({});
    live_.Push(thread);
  }
  void End(ThreadId thread) override {
    for (u32 i = 0; i < live_.Size(); i++) {
      if (live_[i] == thread) {
        live_[i] = live_.Back();
        return live_.Pop();
      }
    }
  }
  void Ran(ThreadId thread, const Operation &operation) override {
    yields_.Ran(thread);
    pending_[thread].drawn = false;
    for (u32 i = 0; i < live_.Size(); i++)
      if (Conflict(pending_[live_[i]].operation, operation))
        pending_[live_[i]].drawn = false;
  }
  void Yielded(ThreadId thread) override { yields_.Yielded(thread); }

private:
  // What a thread is about to do, as of the last time somebody was picked.
  struct Pending {
    Operation operation;
    u64 priority = 0;
    bool drawn = false; // the priority, and it is valid
  };

  void Prepare(Pending &pending, const Operation &next) {
    bool same = pending.operation.kind == next.kind && pending.operation.object == next.object;
    if (!pending.drawn || !same)
      pending = {next, random_.Next(), true};
  }

  Random random_;
  Growable<Pending, Memory> pending_; // by thread
  Growable<ThreadId, Memory> live_;   // in no order
  Yields<Memory> yields_;
};

} // namespace __heddle

#endif // HEDDLE_SCHEDULE_STRATEGY_POS_H
