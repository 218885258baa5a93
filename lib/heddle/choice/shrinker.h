//===-- shrinker.h - The simplest run that still fails --------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes the log of a run that fails and looks for a simpler one: fewer answers
// other than the default, the last of them earlier, the answers smaller, in this
// order. Three steps are repeated until none of them helps:
//
//   cut     drop the end of the log; what follows is answered by default
//   clear   set answers to the default, in chunks of halving size (after
//           Zeller and Hildebrandt's delta debugging, IEEE TSE 2002)
//   lower   decrease an answer that cannot be the default
//
// Of a log that no step helps, no single answer can be set to the default or
// decreased by one: it is minimal locally, not globally.
//
// Changes are tried from the end of the log to its beginning: what comes before
// a change is asked for as it was, so it stays comparable.
//
// The program is a predicate, called as
//
//   bool still_fails(const ChoiceLog<Memory> &candidate, ChoiceLog<Memory> &produced)
//
// which runs it with the candidate's answers and then the defaults, writes the
// choices of the run to `produced` and says whether it failed. A candidate with a
// changed answer need not fit the program to its end: the predicate should take
// it as a guide (Replayer with AtEnd::kGoOn and OnDivergence::kResume), and what
// the run really did is the candidate then. It is run again.
// So every log that is kept, but for the one given, has failed and done just what
// it says, even where the program is not quite deterministic, and is simpler than
// the one before.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_CHOICE_SHRINKER_H
#define HEDDLE_CHOICE_SHRINKER_H

#include "heddle/choice/choice_log.h"
#include "heddle/choice/growable.h"

namespace __heddle {

enum class ShrinkStatus {
  kMinimal,   // no step helps any more
  kOutOfRuns, // the budget is spent, the log may be further simplified
  kNotFailing // the log did not fail when it was run; it is unchanged
};

struct ShrinkResult {
  ShrinkStatus status;
  u64 runs;
};

template <class Memory, class StillFails> class Shrinker {
public:
  using Log = ChoiceLog<Memory>;

  Shrinker(StillFails &still_fails, u64 max_runs)
      : still_fails_(still_fails), max_runs_(max_runs) {}

  ShrinkResult Shrink(Log &log) {
    Decode(log, best_);
    if (!Fails(best_))
      return {refused_ ? ShrinkStatus::kOutOfRuns : ShrinkStatus::kNotFailing, runs_};
    if (!Same(ran_, best_)) {
      candidate_.Swap(ran_);
      Try();
    }
    do {
      simplified_ = false;
      CutEnd();
      ClearChunks();
      LowerAnswers();
    } while (simplified_ && !refused_);
    Encode(best_, log);
    return {refused_ ? ShrinkStatus::kOutOfRuns : ShrinkStatus::kMinimal, runs_};
  }

private:
  using Choices = Growable<Choice, Memory>;

  // What makes one log simpler than another; the first difference counts.
  struct Cost {
    uptr deviations, length;
    u64 answers;

    bool operator<(const Cost &other) const {
      if (deviations != other.deviations)
        return deviations < other.deviations;
      if (length != other.length)
        return length < other.length;
      return answers < other.answers;
    }
  };

  void CutEnd() {
    if (best_.Empty() || TryPrefix(0))
      return;
    uptr too_short = 0;
    while (best_.Size() > too_short + 1) {
      uptr middle = too_short + (best_.Size() - too_short) / 2;
      if (!TryPrefix(middle))
        too_short = middle;
    }
  }

  void ClearChunks() {
    for (uptr chunk = (Deviations() + 1) / 2; chunk; chunk /= 2) {
      for (uptr end = Deviations(); end && !refused_;) {
        uptr begin = end > chunk ? end - chunk : 0;
        TryCleared(begin, end);
        end = begin < Deviations() ? begin : Deviations();
      }
    }
  }

  void LowerAnswers() {
    for (uptr i = best_.Size(); i-- > 0 && !refused_;)
      if (i < best_.Size())
        LowerAnswer(i);
  }

  // 0 has been tried. Options are few, so it is worth going through the first
  // ones, but a program's own choose(n) may have any number of them.
  void LowerAnswer(uptr i) {
    constexpr u32 kEach = 4;
    u32 too_low = 0;
    while (i < best_.Size() && best_[i].answer > too_low + 1) {
      u32 gap = best_[i].answer - too_low;
      u32 answer = too_low + (too_low < kEach ? 1 : gap / 2);
      if (!TryAnswer(i, answer))
        too_low = answer;
    }
  }

  bool TryPrefix(uptr length) {
    candidate_.Assign(best_);
    candidate_.Truncate(length);
    return Try();
  }

  // The deviations number `begin` to `end`, not included, become defaults.
  bool TryCleared(uptr begin, uptr end) {
    candidate_.Assign(best_);
    uptr ordinal = 0;
    for (uptr i = 0; i < candidate_.Size(); i++) {
      if (candidate_[i].IsDefault())
        continue;
      if (begin <= ordinal && ordinal < end)
        candidate_[i].answer = kDefaultAnswer;
      ordinal++;
    }
    return Try();
  }

  bool TryAnswer(uptr i, u32 answer) {
    candidate_.Assign(best_);
    candidate_[i].answer = answer;
    return Try();
  }

  // Takes candidate_, or what its run did instead, in the place of best_ if that
  // fails and is simpler.
  bool Try() {
    Trim(candidate_);
    if (!Fails(candidate_))
      return false;
    if (!Same(ran_, candidate_)) {
      candidate_.Swap(ran_);
      if (!(CostOf(candidate_) < CostOf(best_)) || !Fails(candidate_) || !Same(ran_, candidate_))
        return false;
    }
    best_.Swap(candidate_);
    return simplified_ = true;
  }

  // Leaves what the run did in ran_.
  bool Fails(const Choices &choices) {
    if (runs_ == max_runs_) {
      refused_ = true;
      return false;
    }
    runs_++;
    Encode(choices, log_);
    produced_.Clear();
    bool fails = still_fails_(static_cast<const Log &>(log_), produced_);
    Decode(produced_, ran_);
    return fails;
  }

  uptr Deviations() const { return CostOf(best_).deviations; }

  static Cost CostOf(const Choices &choices) {
    Cost cost = {0, choices.Size(), 0};
    for (uptr i = 0; i < choices.Size(); i++) {
      cost.deviations += !choices[i].IsDefault();
      cost.answers += choices[i].answer;
    }
    return cost;
  }

  static bool Same(const Choices &a, const Choices &b) {
    if (a.Size() != b.Size())
      return false;
    for (uptr i = 0; i < a.Size(); i++)
      if (a[i] != b[i])
        return false;
    return true;
  }

  // Defaults at the end go without saying.
  static void Trim(Choices &choices) {
    while (!choices.Empty() && choices.Back().IsDefault())
      choices.Pop();
  }

  static void Decode(const Log &log, Choices &choices) {
    choices.Clear();
    LogReader reader(log.View());
    for (Choice choice; reader.Next(choice);)
      choices.Push(choice);
    Trim(choices);
  }

  static void Encode(const Choices &choices, Log &log) {
    log.Clear();
    for (uptr i = 0; i < choices.Size(); i++)
      log.Append(choices[i]);
  }

  StillFails &still_fails_;
  u64 max_runs_;
  u64 runs_ = 0;
  bool refused_ = false;    // a run was wanted that the budget did not allow
  bool simplified_ = false; // since it was last cleared
  Choices best_;            // ends with a deviation, or is empty, as all of these
  Choices candidate_;
  Choices ran_;
  Log log_, produced_; // what the predicate gets
};

// Simplifies `log` with at most `max_runs` runs.
template <class Memory, class StillFails>
ShrinkResult Shrink(ChoiceLog<Memory> &log, StillFails &&still_fails, u64 max_runs) {
  return Shrinker<Memory, StillFails>(still_fails, max_runs).Shrink(log);
}

} // namespace __heddle

#endif // HEDDLE_CHOICE_SHRINKER_H
