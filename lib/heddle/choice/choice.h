//===-- choice.h - What can be chosen -------------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kinds of decision that the runtime takes freely. A choice is a question,
// a kind and a number of options, with an answer below that number.
//
// Answer 0 is the default, always: whoever asks orders its options so that 0 is
// the plain one. A run of nothing but defaults is then the run one would expect,
// the log of a run is short where it is plain, and "fewer answers other than 0"
// is what a shrinker and a bound on the search both mean by "simpler".
//
// A question with one option is not a choice. It is never asked or logged.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_CHOICE_CHOICE_H
#define HEDDLE_CHOICE_CHOICE_H

#include "heddle/choice/types.h"

namespace __heddle {

// The numbers are part of the log's format: add at the end, never renumber.
// docs/choice.md has the steps.
enum class ChoiceKind : u8 {
  kThread,   // which thread runs next; 0: the same goes on
  kRead,     // which store a load reads; 0: the newest
  kWake,     // which waiter is woken; 0: the one that waited longest
  kSpurious, // whether a weak CAS or a wait fails spuriously; 0: it does not
  kTimeout,  // whether a timed wait times out; 0: it does not
  kValue,    // the program's own choose(n)
  kPlace,    // where a store goes in modification order; 0: last
};
constexpr u32 kChoiceKinds = u32(ChoiceKind::kPlace) + 1;

constexpr u32 kDefaultAnswer = 0;

struct Choice {
  ChoiceKind kind;
  u32 options; // at least 2
  u32 answer;  // below options

  bool IsDefault() const { return answer == kDefaultAnswer; }
  bool operator==(const Choice &other) const {
    return kind == other.kind && options == other.options && answer == other.answer;
  }
  bool operator!=(const Choice &other) const { return !(*this == other); }
};

// The letter of a kind in the text form of a log. Digits follow it, so neither
// I nor O is one.
constexpr char LetterOf(ChoiceKind kind) {
  switch (kind) {
  case ChoiceKind::kThread:
    return 'T';
  case ChoiceKind::kRead:
    return 'R';
  case ChoiceKind::kWake:
    return 'W';
  case ChoiceKind::kSpurious:
    return 'S';
  case ChoiceKind::kTimeout:
    return 'E'; // expires
  case ChoiceKind::kValue:
    return 'V';
  case ChoiceKind::kPlace:
    return 'P';
  }
  __builtin_unreachable();
}

// As it stands in "a choice of ...".
constexpr const char *NameOf(ChoiceKind kind) {
  switch (kind) {
  case ChoiceKind::kThread:
    return "thread";
  case ChoiceKind::kRead:
    return "read";
  case ChoiceKind::kWake:
    return "wake-up";
  case ChoiceKind::kSpurious:
    return "spurious failure";
  case ChoiceKind::kTimeout:
    return "time-out";
  case ChoiceKind::kValue:
    return "value";
  case ChoiceKind::kPlace:
    return "place";
  }
  __builtin_unreachable();
}

} // namespace __heddle

#endif // HEDDLE_CHOICE_CHOICE_H
