//===-- oldest_first_chooser.h - Old stores are likelier to be read -------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The policy of tsan11 for reads (Lidbury's thesis, 5.2): the oldest store that
// may be read with probability 1/2, the second-oldest with 1/4, and so on; what
// is left of the probability goes to the newest. Stores that are old enough to
// surprise a program are seldom reached by uniform choices where many can be read.
//
// Options are ordered by age, the newest being 0, as the buffer engine orders
// them. All other kinds of choice go to another chooser.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_CHOICE_OLDEST_FIRST_CHOOSER_H
#define HEDDLE_CHOICE_OLDEST_FIRST_CHOOSER_H

#include "heddle/choice/choice_stream.h"
#include "heddle/choice/random.h"

namespace __heddle {

class OldestFirstChooser final : public Chooser {
public:
  constexpr OldestFirstChooser(u64 seed, Chooser &others)
      : random_(seed, u64(ChoiceKind::kRead)), others_(others) {}

  u32 Choose(ChoiceKind kind, u32 options) override {
    if (kind != ChoiceKind::kRead)
      return others_.Choose(kind, options);
    // Each zero at the end of a random number halves what is left.
    u64 number = random_.Next();
    u32 skipped = number ? u32(__builtin_ctzll(number)) : 64;
    return skipped < options ? options - 1 - skipped : kDefaultAnswer;
  }

private:
  Random random_;
  Chooser &others_;
};

} // namespace __heddle

#endif // HEDDLE_CHOICE_OLDEST_FIRST_CHOOSER_H
