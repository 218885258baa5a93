//===-- mograph_prune.h - Forgetting what cannot be read again ------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which stores of a location can be forgotten: a number, the first that stays.
//
//   Conservative   A thread reads no store before one that it has stored or read
//                  itself, or that happens before its next operation. The earliest
//                  such floor of all threads stays, and what follows it. (Section 6.1
//                  of the C11Tester paper asks what happens before the next operation of
//                  all threads, so that threads which do not synchronise keep
//                  everything.)
//   Aggressive     No more than a window of stores stays. Fewer executions, none that
//                  is wrong: what is left can always be read.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_MODEL_MOGRAPH_PRUNE_H
#define HEDDLE_MODEL_MOGRAPH_PRUNE_H

#include "heddle/model/common_past.h"
#include "heddle/model/mograph_history.h"

namespace __heddle {

struct MographOptions {
  bool prune = true;         // conservatively
  u32 window = 0;            // and aggressively: stores a location keeps; 0: off
  u64 max_stores = 0;        // above this many in all, the window is one store; 0: no limit
  u32 max_seq_cst = 1 << 18; // above this many seq_cst operations, S is decided for half of them
  u32 prune_interval = 16;   // accesses to a location between two attempts, at least; 1: no more
  SeqCstRules seq_cst = SeqCstRules::kCxx20;
};

template <class Policy> class MographPruner {
  using History = MographHistory<Policy>;
  using WriterRef = typename History::WriterRef;

public:
  using Thread = ModelThread<Policy>;

  explicit MographPruner(const MographOptions &options)
      : threads(options.prune_interval > 1), options_(options),
        prunes_(options.prune || options.window || options.max_stores) {}

  CommonPast<Policy> threads;

  // Whether all threads know of the last access. They know of most earlier ones
  // then, and pruning is worth while: locations that are used now and then have
  // but one store whenever they are.
  bool Settled(const History &x) {
    return x.last_epoch && options_.prune && x.last_epoch <= threads.Epoch(x.last_slot);
  }

  // An access has been noted. Whether it is time for an attempt.
  bool Count(History *x) const { return prunes_ && --x->until_prune == 0; }
  // When the next one is due: the cost of an attempt is that of looking at what it leaves.
  void Restart(History *x) const {
    u32 left = x->stores.size(), interval = options_.prune_interval;
    for (u32 w = 0; w < x->writers.size(); w++)
      left += x->writers[w]->accesses.size();
    x->until_prune = interval > 1 && left > interval ? left : interval;
  }

  // The position of the first store that stays.
  u32 First(const History &x, u64 total_stores) const {
    u32 first = x.First();
    if (options_.prune && threads.threads()) {
      first = x.Last();
      threads.ForEach([&](const auto &thread) {
        const u32 floor = Floor(x, thread);
        first = floor < first ? floor : first;
      });
    }
    u32 window = options_.window;
    if (options_.max_stores && total_stores > options_.max_stores)
      window = 1;
    if (window && x.Last() - first >= window)
      first = x.Last() - window + 1;
    return first;
  }

private:
  template <class View> static u32 Floor(const History &x, const View &thread) {
    u32 floor = x.First();
    for (u32 w = 0; w < x.writers.size(); w++) {
      const WriterRef &ref = x.writers[w];
      const u32 bound = thread.Get(ref.slot);
      if (bound < ref.first_epoch)
        continue;
      const u32 position =
          bound >= ref.last_epoch
              ? ref.last->position
              : ref->accesses[History::UpTo(ref->accesses, bound) - 1].node->position;
      floor = position > floor ? position : floor;
    }
    return floor;
  }

  const MographOptions options_;
  const bool prunes_;
};

} // namespace __heddle

#endif // HEDDLE_MODEL_MOGRAPH_PRUNE_H
