//===-- replayer.h - Answers from a log -----------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Repeats the answers of a log as long as the questions are the ones that were
// recorded. What then? Two settings and another chooser give the modes:
//
//   the same run again     AtEnd::kDiverge, OnDivergence::kStop
//   prefix, then defaults  AtEnd::kGoOn, no other chooser
//   prefix, then another   AtEnd::kGoOn, with the other chooser
//   as far as it goes      OnDivergence::kGoOn, with or without
//   in its spirit          OnDivergence::kResume, with or without
//
// A divergence is kept, the first one, and told to the handler as soon as it is
// found. With kStop all that follows gets the default answer: the run no longer
// means anything, but it must get to a point where it can end. With kGoOn it goes
// to the other chooser. With kResume a question that does not fit takes the
// answer of the next recorded one that is the same, skipping a few that are not;
// if there is none near it goes to the other chooser and the log waits. That is
// guesswork, good for trying a log with an answer changed, where the run then
// asks a little more or a little less than before (shrinker.h).
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_CHOICE_REPLAYER_H
#define HEDDLE_CHOICE_REPLAYER_H

#include "heddle/choice/choice_log.h"
#include "heddle/choice/choice_stream.h"
#include "heddle/choice/divergence.h"

namespace __heddle {

class Replayer final : public Chooser {
public:
  // What it is that the run goes on when the log has ended.
  enum class AtEnd { kDiverge, kGoOn };
  enum class OnDivergence { kStop, kGoOn, kResume };

  struct Settings {
    AtEnd at_end = AtEnd::kDiverge;
    OnDivergence on_divergence = OnDivergence::kStop;
    Chooser *other = nullptr; // none: the default answers
    void (*handler)(void *argument, const Divergence &divergence) = nullptr;
    void *handler_argument = nullptr;
  };

  Replayer(LogView log, const Settings &settings) : reader_(log), settings_(settings) {}

  u32 Choose(ChoiceKind kind, u32 options) override;

  // The run has ended. If the log has not, that is a divergence in every mode.
  void Finish();

  // How many answers came from the log.
  u64 Replayed() const { return replayed_; }

  bool Diverged() const { return diverged_; }
  // If it has diverged.
  const Divergence &Where() const { return divergence_; }

private:
  bool SkipTo(const Question &asked, Choice &found);
  void Diverge(const Question &expected, const Question &asked);

  LogReader reader_;
  Settings settings_;
  u64 replayed_ = 0;
  bool following_ = true; // the log has not been left for good
  bool diverged_ = false;
  Divergence divergence_ = {};
};

} // namespace __heddle

#endif // HEDDLE_CHOICE_REPLAYER_H
