//===-- choice_stream.h - Every free decision, through one place ----------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whoever has a decision to take asks the ChoiceStream; the stream asks the
// Chooser, which is a strategy, a replayer or an enumerator, and tells the
// ChoiceRecorder, if there is one, what the answer was. Nothing else in the
// runtime may be random.
//
// The order of the questions is part of an execution, so the stream is not
// thread-safe: it is asked in critical sections that are ordered already.
//
// The functions of the interfaces are not pure. The virtual table of a class
// with pure functions refers to the C++ library, which a C program lacks.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_CHOICE_CHOICE_STREAM_H
#define HEDDLE_CHOICE_CHOICE_STREAM_H

#include "heddle/choice/check.h"
#include "heddle/choice/choice.h"

namespace __heddle {

// Answers questions.
class Chooser {
public:
  // Answers with a number below `options`, which is at least 2.
  virtual u32 Choose(ChoiceKind kind, u32 options) {
    (void)kind, (void)options;
    return kDefaultAnswer;
  }

protected:
  constexpr Chooser() = default;
  ~Chooser() = default;
};

// Takes the plain option every time.
class DefaultChooser final : public Chooser {};

// Is told every choice, in order.
class ChoiceRecorder {
public:
  virtual void Record(Choice choice) { (void)choice; }

protected:
  constexpr ChoiceRecorder() = default;
  ~ChoiceRecorder() = default;
};

class ChoiceStream {
public:
  constexpr explicit ChoiceStream(Chooser &chooser, ChoiceRecorder *recorder = nullptr)
      : chooser_(&chooser), recorder_(recorder) {}
  ChoiceStream(const ChoiceStream &) = delete;
  ChoiceStream &operator=(const ChoiceStream &) = delete;

  // Another answers from now on.
  void AnswerFrom(Chooser &chooser) { chooser_ = &chooser; }

  // `options` is at least 1.
  u32 Choose(ChoiceKind kind, u32 options) {
    if (options == 1)
      return kDefaultAnswer;
    u32 answer = chooser_->Choose(kind, options);
    Require(answer < options); // and so there was an option at all
    counts_[u32(kind)]++;
    if (recorder_)
      recorder_->Record({kind, options, answer});
    return answer;
  }

  // How many choices there were: the index of the next one.
  u64 Count() const {
    u64 count = 0;
    for (u64 of_kind : counts_)
      count += of_kind;
    return count;
  }
  u64 Count(ChoiceKind kind) const { return counts_[u32(kind)]; }

private:
  Chooser *chooser_;
  ChoiceRecorder *recorder_;
  u64 counts_[kChoiceKinds] = {};
};

} // namespace __heddle

#endif // HEDDLE_CHOICE_CHOICE_STREAM_H
