//===-- exhaustive.h - Every schedule, one after the other ----------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Answers the choice stream from a source that goes through all answers: an Enumerator,
// or FixedAnswers to have one of its runs again. It stands between the two because a
// thread that waits in a loop must let others go on, or there would be no end to the runs in
// which it does not: those that have yielded are not among the options (yields.h). What
// is left out are schedules in which a thread repeats what it did, having found nothing new.
//
// It is told what a strategy is told, and must be the strategy of the Scheduler.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_SCHEDULE_EXHAUSTIVE_H
#define HEDDLE_SCHEDULE_EXHAUSTIVE_H

#include "heddle/choice/choice_stream.h"
#include "heddle/choice/growable.h"
#include "heddle/schedule/yielding_strategy.h"

namespace __heddle {

// The answers that were given, one after the other; then the default for ever.
template <class Memory> class FixedAnswers final : public Chooser {
public:
  void Add(u32 answer) { answers_.Push(answer); }

  u32 Choose(ChoiceKind, u32 options) override {
    const u32 answer = next_ < answers_.Size() ? answers_[next_++] : kDefaultAnswer;
    return answer < options ? answer : kDefaultAnswer;
  }

private:
  Growable<u32, Memory> answers_;
  uptr next_ = 0;
};

template <class Memory> class Exhaustive final : public Chooser, public YieldingStrategy<Memory> {
  using YieldingStrategy<Memory>::yields_;

public:
  Exhaustive(Chooser &source, const EnabledSet<Memory> &enabled)
      : source_(source), enabled_(enabled) {}

  // The next run begins.
  void BeginAnew() {
    answers_.Clear();
    yields_.Clear();
  }

  // What the source has answered in this run: FixedAnswers gives the same.
  const Growable<u32, Memory> &Answers() const { return answers_; }

  u32 Choose(ChoiceKind kind, u32 options) override {
    return kind == ChoiceKind::kThread ? Pick(enabled_, {}) : Ask(kind, options);
  }

  u32 Pick(const EnabledSet<Memory> &enabled, typename Strategy<Memory>::Next) override {
    return this->PlaceOf(enabled, Ask(ChoiceKind::kThread, yields_.Update(enabled)));
  }

private:
  u32 Ask(ChoiceKind kind, u32 options) {
    if (options == 1)
      return kDefaultAnswer;
    answers_.Push(source_.Choose(kind, options));
    return answers_.Back();
  }

  Chooser &source_;
  const EnabledSet<Memory> &enabled_;
  Growable<u32, Memory> answers_;
};

} // namespace __heddle

#endif // HEDDLE_SCHEDULE_EXHAUSTIVE_H
