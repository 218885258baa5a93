//===-- strategy_kinds.h - The names of the strategies ---------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one list of all strategies, without the strategies: the flags need no more.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_SCHEDULE_STRATEGY_KINDS_H
#define HEDDLE_SCHEDULE_STRATEGY_KINDS_H

#include "heddle/choice/types.h"

namespace __heddle {

// The name for users.
#define HEDDLE_STRATEGIES(STRATEGY)                                                                \
  STRATEGY(kRandom, "random", RandomStrategy)                                                      \
  STRATEGY(kQueue, "queue", QueueStrategy)                                                         \
  STRATEGY(kRoundRobin, "roundrobin", RoundRobinStrategy)                                          \
  STRATEGY(kPct, "pct", PctStrategy)                                                               \
  STRATEGY(kPctwm, "pctwm", PctwmStrategy)                                                         \
  STRATEGY(kPos, "pos", PosStrategy)                                                               \
  STRATEGY(kUrw, "urw", UrwStrategy)

enum class StrategyKind : u8 {
#define HEDDLE_STRATEGY(kind, name, type) kind,
  HEDDLE_STRATEGIES(HEDDLE_STRATEGY)
#undef HEDDLE_STRATEGY
};

constexpr const char *kStrategyNames[] = {
#define HEDDLE_STRATEGY(kind, name, type) name,
    HEDDLE_STRATEGIES(HEDDLE_STRATEGY)
#undef HEDDLE_STRATEGY
};
constexpr u32 kStrategyKinds = sizeof(kStrategyNames) / sizeof(kStrategyNames[0]);

constexpr const char *NameOf(StrategyKind kind) { return kStrategyNames[u32(kind)]; }

} // namespace __heddle

#endif // HEDDLE_SCHEDULE_STRATEGY_KINDS_H
