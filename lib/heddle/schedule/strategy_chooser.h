//===-- strategy_chooser.h - A strategy answers the choice stream ----------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which thread goes on is the strategy's to say. The other choices of a schedule
// are drawn here: which waiter wakes, all being as likely; whether a wait ends
// without a cause or by its time limit, which is seldom, so that programs get on; where
// a store goes in modification order.
// Each kind has a stream of its own, so that they do not disturb each other.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_SCHEDULE_STRATEGY_CHOOSER_H
#define HEDDLE_SCHEDULE_STRATEGY_CHOOSER_H

#include "heddle/choice/choice_stream.h"
#include "heddle/model/thread.h"
#include "heddle/schedule/strategy.h"

namespace __heddle {

// Which store a load reads: what the strategy says, or any if it says nothing; or what is
// said here, whatever the strategy. kMixed is one of the others, the same for the whole
// execution: each finds bugs that another finds seldom or never.
enum class ReadPolicy : u8 { kStrategy, kUniform, kNewest, kOldest, kStale, kMixed };

template <class Memory> class StrategyChooser final : public Chooser {
public:
  // One in so many waits ends spuriously, and so many timed ones by their limit.
  static constexpr u32 kSpuriousOneIn = 16, kTimeoutOneIn = 4;
  // One in so many stores takes any place in modification order, the others the last.
  static constexpr u32 kEarlierOneIn = 2;
  // With kStale, one in so many loads reads any store.
  static constexpr u32 kUniformOneIn = 8;

  StrategyChooser(Strategy<Memory> &strategy, u64 seed,
                  ReadPolicy read_policy = ReadPolicy::kStrategy) {
    GoOnWith(strategy, seed, read_policy);
  }

  // From here on, as if it had just been made.
  void GoOnWith(Strategy<Memory> &strategy, u64 seed, ReadPolicy read_policy) {
    strategy_ = &strategy;
    read_policy_ = read_policy == ReadPolicy::kMixed ? Draw(seed) : read_policy;
    for (u32 kind = 0; kind < kChoiceKinds; kind++)
      streams_[kind] = Random(seed, kind + 1);
  }

  // What the next question of which thread goes on is about.
  void Show(const EnabledSet<Memory> *enabled, typename Strategy<Memory>::Next next) {
    enabled_ = enabled;
    next_ = next;
  }
  // The thread that the next question of what to read is about, and the options that
  // it knows of already.
  void ShowRead(ThreadId thread, const Views &views) {
    reader_ = thread;
    views_ = views;
  }
  // The answer to the question of which thread goes on, if it is not the strategy's to
  // give. Unforce() when it has been asked: somebody else may have answered.
  void Force(u32 index) {
    forced_ = index;
    has_forced_ = true;
  }
  void Unforce() { has_forced_ = false; }

  u32 Choose(ChoiceKind kind, u32 options) override {
    Random &random = streams_[u32(kind)];
    switch (kind) {
    case ChoiceKind::kThread:
      return has_forced_ ? forced_ : strategy_->Pick(*enabled_, next_);
    case ChoiceKind::kSpurious:
      return random.Below(kSpuriousOneIn) == 0;
    case ChoiceKind::kTimeout:
      return random.Below(kTimeoutOneIn) == 0;
    case ChoiceKind::kRead:
      return Read(options, random);
    case ChoiceKind::kPlace:
      return read_policy_ == ReadPolicy::kNewest || random.Below(kEarlierOneIn)
                 ? 0
                 : random.Below(options);
    case ChoiceKind::kWake:
    case ChoiceKind::kValue:
      return random.Below(options);
    }
    __builtin_unreachable();
  }

private:
  static ReadPolicy Draw(u64 seed) {
    Random random(seed, kChoiceKinds + 1);
    if (random.Below(2))
      return ReadPolicy::kOldest;
    return random.Below(2) ? ReadPolicy::kUniform : ReadPolicy::kStale;
  }
  u32 Read(u32 options, Random &random) {
    switch (read_policy_) {
    case ReadPolicy::kStrategy:
      switch (const u32 answer = strategy_->PickRead(reader_, options)) {
      case Strategy<Memory>::kAnyRead:
        return random.Below(options);
      case Strategy<Memory>::kViewRead:
        return View(random);
      default:
        return answer;
      }
    case ReadPolicy::kUniform:
      return random.Below(options);
    case ReadPolicy::kNewest:
      return 0;
    case ReadPolicy::kOldest:
      return View(random);
    case ReadPolicy::kStale:
      return random.Below(kUniformOneIn) ? View(random) : random.Below(options);
    case ReadPolicy::kMixed:
      break; // it is never kept
    }
    __builtin_unreachable();
  }
  u32 View(Random &random) { return views_[views_.count > 1 ? random.Below(views_.count) : 0]; }

  Strategy<Memory> *strategy_;
  ReadPolicy read_policy_;
  ThreadId reader_ = 0;
  Views views_ = {};
  Random streams_[kChoiceKinds] = {};
  const EnabledSet<Memory> *enabled_ = nullptr;
  typename Strategy<Memory>::Next next_ = {};
  u32 forced_ = 0;
  bool has_forced_ = false;
};

} // namespace __heddle

#endif // HEDDLE_SCHEDULE_STRATEGY_CHOOSER_H
