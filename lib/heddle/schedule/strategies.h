//===-- strategies.h - The list of strategies -----------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// To add one: a file strategy_<name>.h with a final class template, its include
// below and its line in strategy_kinds.h. It is made from StrategyOptions.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_SCHEDULE_STRATEGIES_H
#define HEDDLE_SCHEDULE_STRATEGIES_H

#include "heddle/model/placed.h"
#include "heddle/schedule/strategy_kinds.h"
#include "heddle/schedule/strategy_pct.h"
#include "heddle/schedule/strategy_pctwm.h"
#include "heddle/schedule/strategy_pos.h"
#include "heddle/schedule/strategy_queue.h"
#include "heddle/schedule/strategy_random.h"
#include "heddle/schedule/strategy_round_robin.h"
#include "heddle/schedule/strategy_urw.h"

namespace __heddle {

// A strategy of the kind that was asked for, in place.
template <class Memory> class AnyStrategy {
public:
  AnyStrategy(StrategyKind kind, const StrategyOptions &options) { Make(kind, options); }
  ~AnyStrategy() { Unmake(); }
  AnyStrategy(const AnyStrategy &) = delete;
  AnyStrategy &operator=(const AnyStrategy &) = delete;

  // Another one takes its place: Get() anew.
  void Replace(StrategyKind kind, const StrategyOptions &options) {
    Unmake();
    Make(kind, options);
  }

  StrategyKind Kind() const { return kind_; }
  Strategy<Memory> &Get() { return *strategy_; }

private:
  void Make(StrategyKind kind, const StrategyOptions &options) {
    kind_ = kind;
    switch (kind) {
#define HEDDLE_STRATEGY(kind, name, type)                                                          \
  case StrategyKind::kind:                                                                         \
    strategy_ = new (Placed{&storage_}) type<Memory>(options);                                     \
    return;
      HEDDLE_STRATEGIES(HEDDLE_STRATEGY)
#undef HEDDLE_STRATEGY
    }
    Require(false);
  }
  void Unmake() {
    switch (kind_) {
#define HEDDLE_STRATEGY(kind, name, type)                                                          \
  case StrategyKind::kind:                                                                         \
    storage_.kind.~type();                                                                         \
    return;
      HEDDLE_STRATEGIES(HEDDLE_STRATEGY)
#undef HEDDLE_STRATEGY
    }
  }
  union Storage {
    Storage() {}
    ~Storage() {}
#define HEDDLE_STRATEGY(kind, name, type) type<Memory> kind;
    HEDDLE_STRATEGIES(HEDDLE_STRATEGY)
#undef HEDDLE_STRATEGY
  };

  StrategyKind kind_;
  Storage storage_;
  Strategy<Memory> *strategy_ = nullptr;
};

} // namespace __heddle

#endif // HEDDLE_SCHEDULE_STRATEGIES_H
