//===-- strategy_urw.h - Threads weighted by what they have yet to do -----===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The uniform random walk (URW) of H. Zhao, D. Wolff, U. Mathur and
// A. Roychoudhury, "Selectively Uniform Concurrency Testing", ASPLOS 2025.
//
// To pick a thread with a probability proportional to the number of operations it
// has yet to perform makes each interleaving as likely as another, as long as no
// thread blocks: of the interleavings that are left, that is the part which begins
// with this thread. A choice that is uniform among threads favours schedules
// in which short threads end early.
//
// How many operations a thread performs is an estimate: what it was in an earlier run
// (thread_events), by order of creation. A thread for which there is none is
// expected to perform its share of all, events / the number of threads created so
// far. One that has performed as many as was expected, or more, has weight 1.
//
// Where this departs from the paper: operations of threads yet to be created do not
// count, and a thread that has yielded is held back (yields.h). The paper's selective
// variant, which is uniform in a chosen subset of operations only, is not here.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_SCHEDULE_STRATEGY_URW_H
#define HEDDLE_SCHEDULE_STRATEGY_URW_H

#include "heddle/schedule/strategy.h"
#include "heddle/schedule/yields.h"

namespace __heddle {

template <class Memory> class UrwStrategy final : public Strategy<Memory> {
public:
  explicit UrwStrategy(const StrategyOptions &options)
      : random_(options.seed, kStrategyStreams), events_(options.events),
        thread_events_(options.thread_events), thread_events_count_(options.thread_events_count) {}

  u32 Pick(const EnabledSet<Memory> &enabled, typename Strategy<Memory>::Next) override {
    yields_.Update(enabled);
    u64 total = 0;
    for (u32 i = 0; i < enabled.Count(); i++)
      total += Weight(enabled[i]);
    u64 left = random_.Below64(total);
    for (u32 i = 0;; i++) {
      u64 weight = Weight(enabled[i]);
      if (left < weight)
        return i;
      left -= weight;
    }
  }

  void Begin(ThreadId thread) override {
    yields_.Begin(thread);
    performed_.Push(0);
  }
  void Ran(ThreadId thread, const Operation &) override {
    yields_.Ran(thread);
    performed_[thread]++;
  }
  void Yielded(ThreadId thread) override { yields_.Yielded(thread); }

private:
  u64 Expected(ThreadId thread) const {
    u64 expected =
        thread < thread_events_count_ ? thread_events_[thread] : events_ / performed_.Size();
    // Keeps the sum in 64 bits.
    return expected < StrategyOptions::kMaxEvents ? expected : StrategyOptions::kMaxEvents;
  }
  // 0 for a thread that is held back, else 1 at least.
  u64 Weight(ThreadId thread) const {
    if (yields_.HeldBack(thread))
      return 0;
    u64 expected = Expected(thread), performed = performed_[thread];
    return expected > performed ? expected - performed : 1;
  }

  Random random_;
  const u64 events_;
  const u64 *const thread_events_;
  const u32 thread_events_count_;
  Growable<u64, Memory> performed_; // by thread
  Yields<Memory> yields_;
};

} // namespace __heddle

#endif // HEDDLE_SCHEDULE_STRATEGY_URW_H
