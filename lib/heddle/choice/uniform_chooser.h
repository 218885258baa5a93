//===-- uniform_chooser.h - Every option as likely as the other -----------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The simplest random strategy: all options of a choice are equally likely.
// Each kind draws from a stream of its own, so that the schedule of a seed does
// not change when, say, weak memory is switched off and reads are not asked for.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_CHOICE_UNIFORM_CHOOSER_H
#define HEDDLE_CHOICE_UNIFORM_CHOOSER_H

#include "heddle/choice/choice_stream.h"
#include "heddle/choice/random.h"

namespace __heddle {

class UniformChooser final : public Chooser {
public:
  constexpr explicit UniformChooser(u64 seed) {
    for (u32 kind = 0; kind < kChoiceKinds; kind++)
      streams_[kind] = Random(seed, kind);
  }

  u32 Choose(ChoiceKind kind, u32 options) override { return streams_[u32(kind)].Below(options); }

private:
  Random streams_[kChoiceKinds] = {};
};

} // namespace __heddle

#endif // HEDDLE_CHOICE_UNIFORM_CHOOSER_H
