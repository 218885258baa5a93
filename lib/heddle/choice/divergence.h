//===-- divergence.h - Where a run leaves what was expected ---------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A run that repeats another must be asked what the other was asked. Where it is
// not, the program is not deterministic, or it is not the same program, or
// something that it depends on is not recorded.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_CHOICE_DIVERGENCE_H
#define HEDDLE_CHOICE_DIVERGENCE_H

#include "heddle/choice/choice.h"

namespace __heddle {

struct Question {
  ChoiceKind kind;
  u32 options; // 0: no question, the end

  bool IsEnd() const { return options == 0; }
  bool operator==(const Question &other) const {
    return options == other.options && (IsEnd() || kind == other.kind);
  }
  bool operator!=(const Question &other) const { return !(*this == other); }
};
constexpr Question kTheEnd = {ChoiceKind::kThread, 0};

struct Divergence {
  u64 index; // of the choice, from 0
  Question expected;
  Question asked;
};

// "choice 7: expected a choice of thread with 3 options, found the end of the
// run". Terminated and cut to `capacity`; returns the length of all of it.
uptr FormatDivergence(const Divergence &divergence, char *buffer, uptr capacity);

} // namespace __heddle

#endif // HEDDLE_CHOICE_DIVERGENCE_H
