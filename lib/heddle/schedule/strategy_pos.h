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
// Under weak memory an event is a thread's operation and the store that it reads. The
// stores that were there when the thread came to a load make one event: if it runs, any of
// them is read. A store to the location that runs before the load is in conflict with it,
// so a new priority is drawn, as ever, and it is for the event of reading that store.
// To read an older one now would come to the same as to have done so before the store: that
// has had its chance, and is not tried twice. So of one load and one store, either order is
// as likely, and so is what is read. No execution is lost: the load could have run when the
// store that it reads had just run, or when its thread came to it.
//
// Where this departs from the paper: a thread that has yielded is held back, see
// yields.h. The operations of a thread that cannot run take part in conflicts. The stores
// that a load finds share a priority: with one for each, loads with a long history would
// all but always come before stores.
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

  u32 PickRead(ThreadId thread, u32) override {
    return pending_[thread].overtaken ? 0 : Strategy<Memory>::kAnyRead;
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
    pending_[thread] = {};
    for (u32 i = 0; i < live_.Size(); i++) {
      Pending &pending = pending_[live_[i]];
      if (Conflict(pending.operation, operation)) {
        pending.drawn = false;
        pending.overtaken |= Writes(operation.kind) && !yields_.HeldBack(live_[i]);
      }
    }
  }
  void Yielded(ThreadId thread) override { yields_.Yielded(thread); }

private:
  // What a thread is about to do, as of the last time somebody was picked.
  struct Pending {
    Operation operation;
    u64 priority = 0;
    bool drawn = false;     // the priority, and it is valid
    bool overtaken = false; // another has changed its object since, though it could have run
  };

  void Prepare(Pending &pending, const Operation &next) {
    bool same = pending.operation.kind == next.kind && pending.operation.object == next.object;
    if (!same)
      pending = {next};
    if (!pending.drawn) {
      pending.priority = random_.Next();
      pending.drawn = true;
    }
  }

  Random random_;
  Growable<Pending, Memory> pending_; // by thread
  Growable<ThreadId, Memory> live_;   // in no order
  Yields<Memory> yields_;
};

} // namespace __heddle

#endif // HEDDLE_SCHEDULE_STRATEGY_POS_H
