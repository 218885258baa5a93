//===-- heddle_flags.h - The types of Heddle's flags ----------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The types of Heddle's flags in lib/tsan/rtl/tsan_flags.inc. Upstream's parser
// handles a flag by its type, so a flag with words for values is an enum with a
// table of its words here. Any other word stops the program with a message that
// lists the valid ones: a flag misspelt in a CI script must not be ignored.
//
// A parameter of a strategy knows whether it was given: heddle::Explore estimates what was not.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_FLAGS_H
#define HEDDLE_RTL_FLAGS_H

#include "heddle/model/release_sequence.h"
#include "heddle/model/thread.h"
#include "heddle/rtl/heddle_volatile.h"
#include "heddle/schedule/strategy_chooser.h"
#include "heddle/schedule/strategy_kinds.h"
#include "sanitizer_common/sanitizer_flag_parser.h"

namespace __heddle {

enum class ExactHappensBefore { kOff, kOn };
enum class VolatileOrder { kPlain, kRelaxed, kAcqRel };

enum class WeakMemory : u8 { kOff, kBuffer, kMograph };
enum class Pruning : u8 { kConservative, kAggressive };
enum class DemoEnd : u8 { kStop, kContinue };
enum class Rdtsc : u8 { kAuto, kLogical, kProcessor };
enum class StaleReads : u8 { kReport, kPrint };
enum class Processes : u8 { kSeparate, kTogether };
enum class DemoChildren : u8 { kRecord, kFree };

// None, a log, or a strategy.
enum class Schedule : u8 {
  kNone,
  kReplay,
#define HEDDLE_STRATEGY(kind, name, type) kind,
  HEDDLE_STRATEGIES(HEDDLE_STRATEGY)
#undef HEDDLE_STRATEGY
};

template <class E> struct FlagWord {
  const char *word;
  E value;
};

// FlagWords<E>::kFlag is the flag's name, kWords its values; the first word of
// a value is the one it is printed with.
template <class E> struct FlagWords;

template <> struct FlagWords<ExactHappensBefore> {
  static constexpr const char *kFlag = "exact_happens_before";
  static constexpr FlagWord<ExactHappensBefore> kWords[] = {
      {"1", ExactHappensBefore::kOn},    {"0", ExactHappensBefore::kOff},
      {"true", ExactHappensBefore::kOn}, {"false", ExactHappensBefore::kOff},
      {"yes", ExactHappensBefore::kOn},  {"no", ExactHappensBefore::kOff}};
};

template <> struct FlagWords<ReleaseSequenceRules> {
  static constexpr const char *kFlag = "release_sequence";
  static constexpr FlagWord<ReleaseSequenceRules> kWords[] = {
      {"cxx20", ReleaseSequenceRules::kCxx20}, {"cxx11", ReleaseSequenceRules::kCxx11}};
};

template <> struct FlagWords<SeqCstRules> {
  static constexpr const char *kFlag = "seq_cst";
  static constexpr FlagWord<SeqCstRules> kWords[] = {{"cxx20", SeqCstRules::kCxx20},
                                                     {"cxx11", SeqCstRules::kCxx11}};
};

template <> struct FlagWords<VolatileOrder> {
  static constexpr const char *kFlag = "volatile_order";
  static constexpr FlagWord<VolatileOrder> kWords[] = {{"plain", VolatileOrder::kPlain},
                                                       {"relaxed", VolatileOrder::kRelaxed},
                                                       {"acq_rel", VolatileOrder::kAcqRel}};
};

template <> struct FlagWords<Schedule> {
  static constexpr const char *kFlag = "schedule";
  static constexpr FlagWord<Schedule> kWords[] = {{"none", Schedule::kNone},
                                                  {"replay", Schedule::kReplay},
#define HEDDLE_STRATEGY(kind, name, type) {name, Schedule::kind},
                                                  HEDDLE_STRATEGIES(HEDDLE_STRATEGY)
#undef HEDDLE_STRATEGY
  };
};

template <> struct FlagWords<WeakMemory> {
  static constexpr const char *kFlag = "weak_memory";
  static constexpr FlagWord<WeakMemory> kWords[] = {{"off", WeakMemory::kOff},
                                                    {"buffer", WeakMemory::kBuffer},
                                                    {"mograph", WeakMemory::kMograph}};
};

template <> struct FlagWords<Pruning> {
  static constexpr const char *kFlag = "prune";
  static constexpr FlagWord<Pruning> kWords[] = {{"conservative", Pruning::kConservative},
                                                 {"aggressive", Pruning::kAggressive}};
};

template <> struct FlagWords<ReadPolicy> {
  static constexpr const char *kFlag = "read_policy";
  static constexpr FlagWord<ReadPolicy> kWords[] = {
      {"strategy", ReadPolicy::kStrategy}, {"uniform", ReadPolicy::kUniform},
      {"newest", ReadPolicy::kNewest},     {"oldest", ReadPolicy::kOldest},
      {"stale", ReadPolicy::kStale},       {"mixed", ReadPolicy::kMixed}};
};

template <> struct FlagWords<StaleReads> {
  static constexpr const char *kFlag = "stale_reads";
  static constexpr FlagWord<StaleReads> kWords[] = {{"report", StaleReads::kReport},
                                                    {"print", StaleReads::kPrint}};
};

template <> struct FlagWords<Processes> {
  static constexpr const char *kFlag = "processes";
  static constexpr FlagWord<Processes> kWords[] = {{"separate", Processes::kSeparate},
                                                   {"together", Processes::kTogether}};
};

template <> struct FlagWords<DemoChildren> {
  static constexpr const char *kFlag = "children";
  static constexpr FlagWord<DemoChildren> kWords[] = {{"record", DemoChildren::kRecord},
                                                      {"free", DemoChildren::kFree}};
};

template <> struct FlagWords<DemoEnd> {
  static constexpr const char *kFlag = "play_demo_then";
  static constexpr FlagWord<DemoEnd> kWords[] = {{"stop", DemoEnd::kStop},
                                                 {"continue", DemoEnd::kContinue}};
};

template <> struct FlagWords<Rdtsc> {
  static constexpr const char *kFlag = "rdtsc";
  static constexpr FlagWord<Rdtsc> kWords[] = {
      {"auto", Rdtsc::kAuto}, {"logical", Rdtsc::kLogical}, {"processor", Rdtsc::kProcessor}};
};

// The first word of a value.
template <class E> const char *WordOf(E value) {
  for (const auto &word : FlagWords<E>::kWords)
    if (word.value == value)
      return word.word;
  return "";
}

// The type of a flag that holds one of an enum's words.
template <class E> struct OneOf {
  E value;

  OneOf() = default;
  constexpr OneOf(E v) : value(v) {}
  constexpr operator E() const { return value; }
};

// The type of a flag that holds a parameter of a strategy.
struct Parameter {
  s64 value;
  bool given;

  Parameter() = default;
  constexpr Parameter(s64 by_default) : value(by_default), given(false) {}
  constexpr operator s64() const { return value; }
};

// Called with a flag's new value. An overload keeps what a fast path looks at.
template <class E> void FlagChanged(E) {}
inline void FlagChanged(VolatileOrder order) {
  volatile_is_special = order != VolatileOrder::kPlain;
}

} // namespace __heddle

namespace __sanitizer {

template <class E> class FlagHandler<__heddle::OneOf<E>> final : public FlagHandlerBase {
  using Words = __heddle::FlagWords<E>;

public:
  explicit FlagHandler(__heddle::OneOf<E> *flag) : flag_(flag) {}

  bool Parse(const char *text) final {
    for (const auto &word : Words::kWords) {
      if (internal_strcmp(text, word.word) == 0) {
        flag_->value = word.value;
        __heddle::FlagChanged(word.value);
        return true;
      }
    }
    Printf("ERROR: ThreadSanitizer: invalid value for %s: '%s'. Valid values: ", Words::kFlag,
           text);
    for (const auto &word : Words::kWords)
      Printf("%s%s", &word == &Words::kWords[0] ? "" : ", ", word.word);
    Printf(".\n");
    return false;
  }

  bool Format(char *buffer, uptr size) final {
    for (const auto &word : Words::kWords)
      if (word.value == flag_->value)
        return FormatString(buffer, size, word.word);
    return false;
  }

private:
  __heddle::OneOf<E> *flag_;
};

template <> class FlagHandler<__heddle::Parameter> final : public FlagHandlerBase {
public:
  explicit FlagHandler(__heddle::Parameter *flag) : flag_(flag), number_(&flag->value) {}

  bool Parse(const char *text) final {
    flag_->given = true;
    return number_.Parse(text);
  }
  bool Format(char *buffer, uptr size) final { return number_.Format(buffer, size); }

private:
  __heddle::Parameter *flag_;
  FlagHandler<s64> number_;
};

} // namespace __sanitizer

#endif // HEDDLE_RTL_FLAGS_H
