//===-- strategy_pctwm.h - A few communications between threads -----------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// M. Gao, S. Chakraborty and B. K. Ozkan, "Probabilistic Concurrency Testing for
// Weak Memory Programs", ASPLOS 2023.
//
// Threads have random priorities, and the enabled one of the highest runs. A thread
// reads what it knows of already, and so nothing of what others do, but for d
// operations: drawn from the first k that can communicate (loads, RMWs, fences, and
// whatever else waits for others), they are put off until nobody of a higher priority
// can run, the first of them before the second, and so on; then they read any of the
// h newest stores that they may read. An execution that takes d such communications
// is met with a probability of at least 1 / (h k)^d: d is the option depth, k the
// option events, h the option history.
//
// Where this departs from the paper:
// - The paper gives each thread a view and each event a bag. What a thread's view
//   has of a location is the oldest store that the memory model lets it read, so the
//   engines say it (kViewRead). They do not pass views along the order of
//   seq_cst operations, which the standard does not do either.
// - Whether a store is seq_cst is not known here: a store is no communication.
// - The livelock heuristic: a thread that waits for others (it yields, sleeps, or
//   loads the same value over and over) falls below all others, and its next
//   operation reads one of the h newest stores. So does whoever runs when another
//   k operations that can communicate have gone by: see strategy_pct.h.
// - A thread gets its priority when it is created.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_SCHEDULE_STRATEGY_PCTWM_H
#define HEDDLE_SCHEDULE_STRATEGY_PCTWM_H

#include "heddle/schedule/priorities.h"
#include "heddle/schedule/strategy.h"

namespace __heddle {

template <class Memory> class PctwmStrategy final : public Strategy<Memory> {
public:
  explicit PctwmStrategy(const StrategyOptions &options)
      : random_(options.seed, kStrategyStreams), reads_(options.seed, kStrategyStreams + 1),
        events_(options.events), history_(options.history), depth_(options.depth) {
    Require(depth_ <= StrategyOptions::kMaxDepth && events_ >= 1 && history_ >= 1);
    for (u32 i = 0; i < depth_; i++)
      sinks_[i] = DrawSink(i);
  }

  bool NeedsNext() const override { return true; }

  u32 Pick(const EnabledSet<Memory> &enabled, typename Strategy<Memory>::Next next) override {
    for (;;) {
      u32 highest = priorities_.Highest(enabled);
      ThreadId thread = enabled[highest];
      // A sink is put off once.
      if (!Communicates(next[thread].kind) || threads_[thread].counted || !Count(thread))
        return highest;
    }
  }

  u32 PickRead(ThreadId thread, u32 options) override {
    if (!threads_[thread].counted)
      Count(thread);
    if (!threads_[thread].sink)
      return Strategy<Memory>::kViewRead;
    return reads_.Below(options < history_ ? options : history_);
  }

  void Begin(ThreadId thread) override {
    priorities_.Begin(thread, random_);
    threads_.Push({});
  }
  void Ran(ThreadId thread, const Operation &operation) override {
    Thread &ran = threads_[thread];
    if (Communicates(operation.kind)) {
      if (!ran.counted)
        Count(thread);
      if (count_ % events_ == 0)
        priorities_.Sink(thread);
    }
    ran.counted = ran.sink = false;
  }
  void Yielded(ThreadId thread) override {
    priorities_.Sink(thread);
    threads_[thread] = {true, true};
  }

private:
  struct Thread {
    bool counted = false; // its next operation has been
    bool sink = false;    // it reads what others stored
  };

  // Distinct, as long as there are enough.
  u64 DrawSink(u32 count) {
    u64 sink = 1 + random_.Below64(events_);
    for (u32 i = 0; events_ >= depth_ && i < count; i++)
      if (sinks_[i] == sink)
        return DrawSink(count);
    return sink;
  }

  // The thread's next operation can communicate. Returns whether it is a sink, and
  // has been put off.
  bool Count(ThreadId thread) {
    count_++;
    threads_[thread].counted = true;
    for (u32 i = 0; i < depth_; i++) {
      if (sinks_[i] != count_)
        continue;
      // The first of the d is the first to be taken up again.
      priorities_.Lower(thread, depth_ - i);
      threads_[thread].sink = true;
      return true;
    }
    return false;
  }

  Random random_, reads_;
  const u64 events_;
  const u32 history_, depth_;
  u64 sinks_[StrategyOptions::kMaxDepth];
  u64 count_ = 0; // of operations that can communicate
  Growable<Thread, Memory> threads_;
  Priorities<Memory> priorities_;
};

} // namespace __heddle

#endif // HEDDLE_SCHEDULE_STRATEGY_PCTWM_H
