//===-- divergence.cpp - A divergence in words ----------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One sentence for every layer that reports a divergence, so that they all read
// alike.
//
//===----------------------------------------------------------------------===//
#include "heddle/choice/divergence.h"

#include "heddle/choice/text.h"

namespace __heddle {

static void Write(TextWriter &text, const Question &question) {
  if (question.IsEnd())
    text << "the end of the run";
  else
    text << "a choice of " << NameOf(question.kind) << " with " << question.options << " options";
}

uptr FormatDivergence(const Divergence &divergence, char *buffer, uptr capacity) {
  TextWriter text(buffer, capacity);
  text << "choice " << divergence.index << ": expected ";
  Write(text, divergence.expected);
  text << ", found ";
  Write(text, divergence.asked);
  return text.Length();
}

} // namespace __heddle
