//===-- strategy_settings.h - Strategies as users ask for them ------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is written in flags, the ranges it must be in, and what to say if it is not.
// Probabilities are read without floating point, so that they are the same
// everywhere.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_SCHEDULE_STRATEGY_SETTINGS_H
#define HEDDLE_SCHEDULE_STRATEGY_SETTINGS_H

#include "heddle/schedule/strategies.h"

namespace __heddle {

struct StrategySettings {
  const char *strategy = "random";
  long long depth = 3;
  long long events = 1000;
  long long history = 1;
  const char *switch_probability = "1"; // decimal
};

inline bool SameText(const char *a, const char *b) {
  for (; *a && *a == *b; a++, b++) {
  }
  return *a == *b;
}

inline bool ParseStrategy(const char *name, StrategyKind &kind) {
  for (u32 i = 0; i < kStrategyKinds; i++) {
    if (SameText(name, kStrategyNames[i])) {
      kind = StrategyKind(i);
      return true;
    }
  }
  return false;
}

// "0.25", ".25", "1", "1.0": digits after the ninth count for nothing.
inline bool ParseProbability(const char *text, Probability &probability) {
  constexpr u32 kDigits = 9, kOne = 1000000000;
  u64 whole = 0, part = 0;
  u32 digits = 0, decimals = 0;
  for (; *text >= '0' && *text <= '9'; text++, digits++) {
    whole = 10 * whole + u64(*text - '0');
    if (whole > 1)
      return false;
  }
  bool beyond = false;
  if (*text == '.') {
    for (text++; *text >= '0' && *text <= '9'; text++, digits++) {
      if (decimals < kDigits) {
        part = 10 * part + u64(*text - '0');
        decimals++;
      }
      beyond |= *text != '0';
    }
  }
  if (*text || !digits || (whole && beyond))
    return false;
  for (; decimals < kDigits; decimals++)
    part *= 10;
  probability = whole ? Probability::Always() : Probability::Ratio(u32(part), kOne);
  return true;
}

// Null, or what is wrong; then `kind` and `options` are as they were. Leaves alone
// what is not among the settings.
inline const char *ReadSettings(const StrategySettings &settings, StrategyKind &kind,
                                StrategyOptions &options) {
  StrategyKind read_kind;
  Probability probability = Probability::Never();
  if (!ParseStrategy(settings.strategy, read_kind))
    return "schedule must be one of"
#define HEDDLE_STRATEGY(kind, name, type) " " name
        HEDDLE_STRATEGIES(HEDDLE_STRATEGY)
#undef HEDDLE_STRATEGY
            ;
  const bool may_be_0 = read_kind == StrategyKind::kPctwm;
  if (settings.depth < !may_be_0 || settings.depth > (long long)StrategyOptions::kMaxDepth)
    return may_be_0 ? "schedule_depth must be 0 to 100" : "schedule_depth must be 1 to 100";
  if (settings.history < 1 || settings.history > (long long)StrategyOptions::kMaxHistory)
    return "history_depth must be 1 to 1000000";
  if (settings.events < 1 || settings.events > (long long)StrategyOptions::kMaxEvents)
    return "schedule_events must be 1 to 1099511627776";
  if (!ParseProbability(settings.switch_probability, probability))
    return "switch_probability must be 0 to 1, as in 0.25";
  kind = read_kind;
  options.depth = u32(settings.depth);
  options.events = u64(settings.events);
  options.history = u32(settings.history);
  options.switch_probability = probability;
  return nullptr;
}

//===-- Which parameters a strategy goes by, and estimates of them --------===//

constexpr bool HasDepth(StrategyKind kind) {
  return kind == StrategyKind::kPct || kind == StrategyKind::kPctwm;
}
constexpr bool HasHistory(StrategyKind kind) { return kind == StrategyKind::kPctwm; }
constexpr bool HasEvents(StrategyKind kind) {
  return kind == StrategyKind::kPct || kind == StrategyKind::kPctwm || kind == StrategyKind::kUrw;
}

// What `events` is to be if another execution was so long. Far more than there are is as bad as far
// too few: an event that is drawn from them hardly ever comes.
constexpr u64 EstimateEvents(StrategyKind kind, u64 operations, u64 communications) {
  const u64 events = kind == StrategyKind::kPctwm ? communications : operations;
  return events < 1                             ? 1
         : events < StrategyOptions::kMaxEvents ? events
                                                : StrategyOptions::kMaxEvents;
}

} // namespace __heddle

#endif // HEDDLE_SCHEDULE_STRATEGY_SETTINGS_H
