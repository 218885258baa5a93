//===-- heddle_explore_settings.cpp - What is to be explored --------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// HEDDLE_EXPLORE has the last word, so that the line of a failed execution repeats that
// one whatever the program says:
//
//   HEDDLE_EXPLORE="seed=17 strategy=pct depth=2" ./test
//
// A seed alone means one execution. With name=, explorations of other names are as ever.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_explore.h"

#include "heddle/rtl/heddle_control_start.h"
#include "heddle/rtl/heddle_weak_memory.h"
#include "heddle/schedule/strategy_settings.h"
#include "sanitizer/heddle_interface.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "tsan_flags.h"

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {

// As they were written; null, 0, or kUnwritten, if they were not.
struct ExploreWords {
  const char *strategy, *weak_memory, *read_policy, *choices, *name;
  s64 depth, events, history;
  u64 executions, seed;
  double seconds;
};

namespace {

constexpr u64 kDefaultExecutions = 1000;
constexpr s64 kDefaultHistory = 2; // as in a hunt

constexpr s64 kUnwritten = INT64_MIN;
s64 WrittenIfNot0(s64 value) { return value ? value : kUnwritten; }

s64 ReadParameter(s64 written, const Parameter &flag, s64 otherwise) {
  return written != kUnwritten ? written : flag.given ? flag.value : otherwise;
}

u64 ReadNumber(const char *key, const char *value) {
  const char *end;
  const s64 number = internal_simple_strtoll(value, &end, 10);
  if (*end || end == value || number < 0)
    RefuseToExplore("%s must be a number in HEDDLE_EXPLORE, and not '%s'", key, value);
  return u64(number);
}

template <class E> E ReadWord(const char *word) {
  for (const auto &valid : FlagWords<E>::kWords)
    if (!internal_strcmp(valid.word, word))
      return valid.value;
  InternalScopedString words;
  for (const auto &valid : FlagWords<E>::kWords)
    words.AppendF(" %s", valid.word);
  RefuseToExplore("%s must be one of%s, and not '%s'", FlagWords<E>::kFlag, words.data(), word);
}

} // namespace

void ExploreSettings::ReadEnvironment(const char *text, ExploreWords *words) {
  ExploreWords read = *words;
  read.executions = 0;
  // The values live as long as the process; so does a copy of each text that is read.
  static char copy[kMaxText];
  if (internal_strlen(text) >= kMaxText)
    RefuseToExplore("HEDDLE_EXPLORE is longer than %zu characters", kMaxText);
  internal_strlcpy(copy, text, kMaxText);
  bool has_seed = false;
  for (char *at = copy; *at;) {
    char *key = at;
    while (*at && *at != ' ')
      at++;
    if (*at)
      *at++ = '\0';
    if (!*key)
      continue;
    char *value = internal_strchr(key, '=');
    if (!value)
      RefuseToExplore("HEDDLE_EXPLORE is made of key=value, and not of '%s'", key);
    *value++ = '\0';
    const auto is = [&](const char *name) { return !internal_strcmp(key, name); };
    if (is("seed"))
      read.seed = ReadNumber(key, value), has_seed = true;
    else if (is("executions"))
      read.executions = ReadNumber(key, value);
    else if (is("seconds"))
      read.seconds = double(ReadNumber(key, value));
    else if (is("depth"))
      read.depth = s64(ReadNumber(key, value));
    else if (is("events"))
      read.events = s64(ReadNumber(key, value));
    else if (is("history"))
      read.history = s64(ReadNumber(key, value));
    else if (is("strategy"))
      read.strategy = value;
    else if (is("weak_memory"))
      read.weak_memory = value;
    else if (is("read_policy"))
      read.read_policy = value;
    else if (is("choices"))
      read.choices = value;
    else if (is("name"))
      read.name = value;
    else
      RefuseToExplore("HEDDLE_EXPLORE has no '%s'. There are seed, executions, seconds, strategy, "
                      "depth, events, history, weak_memory, read_policy, choices and name",
                      key);
  }
  if (read.name && internal_strcmp(read.name, name))
    return; // it is about another one
  if (!read.executions)
    read.executions = has_seed ? 1 : words->executions;
  *words = read;
}

void ExploreSettings::Read(const __heddle_explore_options &options) {
  ExploreWords words = {};
  name = options.name ? options.name : "";
  words.strategy = options.strategy;
  words.weak_memory = options.weak_memory;
  words.read_policy = options.read_policy;
  words.depth = WrittenIfNot0(options.depth);
  words.events = WrittenIfNot0(s64(options.events));
  words.history = WrittenIfNot0(options.history);
  words.executions = options.executions;
  words.seed = options.seed;
  words.seconds = options.seconds;
  exhaust = options.exhaust;
  if (const char *text = GetEnv("HEDDLE_EXPLORE"))
    ReadEnvironment(text, &words);
  choices = words.choices;
  executions = words.executions;
  if (!executions)
    executions = exhaust || words.seconds > 0 ? ~0ull : kDefaultExecutions;
  seconds = words.seconds;
  seed = words.seed;
  go_on = options.go_on;
  failed = options.failed;
  failed_argument = options.failed_argument;
  weak_memory = words.weak_memory ? ReadWord<WeakMemory>(words.weak_memory)
                                  : WeakMemory(flags()->weak_memory);
  StrategySettings from;
  const Schedule schedule = flags()->schedule;
  if (words.strategy)
    from.strategy = words.strategy;
  else if (schedule != Schedule::kNone && schedule != Schedule::kReplay)
    from.strategy = WordOf(Schedule(schedule));
  from.depth = ReadParameter(words.depth, flags()->schedule_depth, from.depth);
  from.events = ReadParameter(words.events, flags()->schedule_events, from.events);
  from.history = ReadParameter(words.history, flags()->history_depth, kDefaultHistory);
  from.switch_probability = flags()->switch_probability;
  if (const char *wrong = ReadSettings(from, strategy.kind, strategy.options))
    RefuseToExplore("%s", wrong);
  estimates_events =
      HasEvents(strategy.kind) && words.events == kUnwritten && !flags()->schedule_events.given;
  strategy.read_policy = words.read_policy ? ReadWord<ReadPolicy>(words.read_policy)
                                           : ReadPolicy(flags()->read_policy);
  Check();
}

void ExploreSettings::Check() const {
  if (strategy.kind == StrategyKind::kQueue)
    RefuseToExplore("strategy queue depends on time, and no seed repeats it; take another");
  if (flags()->schedule == Schedule::kReplay || flags()->schedule_log[0])
    RefuseToExplore("it has schedules of its own, and does not go with schedule_log=");
  if (flags()->record_demo[0] || flags()->play_demo[0])
    RefuseToExplore(
        "it has executions of its own, and does not go with record_demo= or play_demo=");
  if (const char *wrong = CheckWeakMemory(weak_memory, /*scheduled=*/true))
    RefuseToExplore("%s", wrong);
  if (flags()->weak_memory == WeakMemory::kOff)
    return;
  if (flags()->schedule == Schedule::kNone)
    RefuseToExplore("weak_memory= without schedule= is for all threads of the process at once; "
                    "set weak_memory in the options or in HEDDLE_EXPLORE instead");
  if (weak_memory != flags()->weak_memory)
    RefuseToExplore("weak_memory is %s here, and %s in TSAN_OPTIONS; leave out one of them",
                    WordOf(weak_memory), WordOf(WeakMemory(flags()->weak_memory)));
}

void ExploreSettings::AddTo(InternalScopedString *text, const StrategyInUse &used) const {
  if (!exhaust) {
    text->AppendF(" strategy=%s", NameOf(used.kind));
    if (HasDepth(used.kind))
      text->AppendF(" depth=%u", used.options.depth);
    if (HasEvents(used.kind))
      text->AppendF(" events=%llu", used.options.events);
    if (HasHistory(used.kind))
      text->AppendF(" history=%u", used.options.history);
    if (strategy.read_policy != ReadPolicy::kStrategy)
      text->AppendF(" read_policy=%s", WordOf(strategy.read_policy));
  }
  if (weak_memory != WeakMemory::kOff)
    text->AppendF(" weak_memory=%s", WordOf(weak_memory));
  if (name[0] && !internal_strchr(name, ' '))
    text->AppendF(" name=%s", name);
}

} // namespace __heddle
