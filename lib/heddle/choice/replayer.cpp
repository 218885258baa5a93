//===-- replayer.cpp - Answers from a log ---------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See replayer.h for the modes. The way of a choice that fits is kept short: it is
// all that a replay does as long as it goes well.
//
//===----------------------------------------------------------------------===//
#include "heddle/choice/replayer.h"

namespace __heddle {

// How many entries kResume looks at, a run of defaults being one. Enough for the
// questions of one operation that is asked for no more; not so many that it finds
// a question in quite another part of the run.
constexpr u32 kResumeWithin = 16;

static Question QuestionOf(const Choice &choice) { return {choice.kind, choice.options}; }

u32 Replayer::Choose(ChoiceKind kind, u32 options) {
  Question asked = {kind, options};
  if (following_) {
    Choice recorded;
    if (!reader_.Next(recorded)) {
      following_ = false;
      if (settings_.at_end == AtEnd::kDiverge)
        Diverge(kTheEnd, asked);
    } else if (QuestionOf(recorded) != asked) {
      Diverge(QuestionOf(recorded), asked);
      reader_.Unread();
      following_ = settings_.on_divergence == OnDivergence::kResume;
      if (following_ && SkipTo(asked, recorded)) {
        replayed_++;
        return recorded.answer;
      }
    } else {
      replayed_++;
      return recorded.answer;
    }
  }
  bool stopped = diverged_ && settings_.on_divergence == OnDivergence::kStop;
  return settings_.other && !stopped ? settings_.other->Choose(kind, options) : kDefaultAnswer;
}

void Replayer::Finish() {
  Choice recorded;
  if (following_ && reader_.Next(recorded))
    Diverge(QuestionOf(recorded), kTheEnd);
  following_ = false;
}

// Goes to the next choice that answers the question; if there is none near, stays.
bool Replayer::SkipTo(const Question &asked, Choice &found) {
  LogReader ahead = reader_;
  for (u32 i = 0; i < kResumeWithin; i++) {
    LogReader here = ahead;
    u64 count;
    if (!ahead.NextRun(found, count))
      return false;
    if (QuestionOf(found) == asked) {
      reader_ = here;
      return reader_.Next(found);
    }
  }
  return false;
}

void Replayer::Diverge(const Question &expected, const Question &asked) {
  if (diverged_)
    return;
  diverged_ = true;
  divergence_ = {replayed_, expected, asked};
  if (settings_.handler)
    settings_.handler(settings_.handler_argument, divergence_);
}

} // namespace __heddle
