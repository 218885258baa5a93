//===-- mograph_prune.h - Forgetting what cannot be read again ------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pruning (section 6.1 of the C11Tester paper) takes out the stores of a location
// that are before a store S.
//
//   Conservative   S was written or read by what happens before all that threads
//                  do next, so nothing before S can be read again.
//   Aggressive     S is older than a window of the location's last stores.
//
// What is before S need not be remembered for the sake of other stores either: a
// constraint through it is a constraint through S.
//
// Of the accesses that happen before all that threads do next, the stores that
// they concern are kept, in one small set for all threads (`base`), and not who
// made them.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_MODEL_MOGRAPH_PRUNE_H
#define HEDDLE_MODEL_MOGRAPH_PRUNE_H

#include "heddle/model/common_past.h"
#include "heddle/model/mograph_history.h"
#include "heddle/model/prior_set.h"

namespace __heddle {

struct MographOptions {
  bool prune = true;       // conservatively
  u32 window = 0;          // and aggressively: stores a location keeps at least; 0: off
  u64 max_stores = 0;      // above this many in all, the window shrinks; 0: no limit
  u32 prune_interval = 16; // accesses to a location between two attempts, at least; 1: no more
};

template <class Policy> class MographPruner {
  using History = MographHistory<Policy>;
  using ModOrder = ModificationOrder<Policy>;
  using Node = typename ModOrder::Node;
  using Access = typename History::Access;
  using Floor = typename History::Floor;
  using Writer = typename History::Writer;
  using WriterRef = typename History::WriterRef;

public:
  using Thread = ModelThread<Policy>;

  explicit MographPruner(const MographOptions &options)
      : options_(options), common_past_(options.prune_interval > 1) {}

  void Begin(const Thread *thread) { common_past_.Begin(thread); }
  void End(const Thread *thread) { common_past_.End(thread); }
  void Await(const Thread *thread, const Thread *awaited) { common_past_.Await(thread, awaited); }
  void StartAnew() { common_past_.StartAnew(); }

  // Whether all threads know of the last access. They know of most earlier ones
  // then, and pruning is worth while: locations that are used now and then have
  // but one store whenever they are.
  bool Settled(const History &x) {
    return x.last_slot != History::kNobody && options_.prune &&
           x.last_epoch <= common_past_.Epoch(x.last_slot);
  }

  // What was taken out, and the heads of the blocks of which nothing is left. The
  // former must be freed but for heads, the latter must be freed.
  Queue<Node *, Policy> doomed;
  Queue<Node *, Policy> dead_heads;
  // Writers of which nothing is left.
  Queue<Writer *, Policy> idle;

  void Prune(History *x, u64 total_stores) {
    u32 window = options_.window;
    if (options_.max_stores && total_stores > options_.max_stores)
      window = 1; // a store per thread, and what is not before one of them
    prior_.Clear();
    if (options_.prune)
      FindBase(x);
    if (window && x->store_count > window)
      AddOutside(*x, window);
    if (prior_.size())
      TakeOut(x);
    if (!doomed.empty()) {
      TrimBlocks();
      RedirectAll(x);
    }
    x->last_slot = History::kNobody;
    // The cost of an attempt is that of looking at what it leaves.
    u32 left = FindIdle(x), interval = options_.prune_interval;
    x->until_prune = interval > 1 && left > interval ? left : interval;
  }

  void Doom(Node *node) {
    node->removed = true;
    doomed.PushBack(node);
  }

  void TrimBlocks() {
    for (u32 i = 0; i < doomed.size(); i++)
      if (ModOrder::Trim(doomed[i]->head))
        dead_heads.PushBack(doomed[i]->head);
  }

private:
  u32 CommonEpoch(const WriterRef &ref) {
    return ref.slot == History::kInitialSlot ? 0 : common_past_.Epoch(ref.slot);
  }

  // Fills prior_ with what all threads know, and has base stand for it, if it is
  // not too much.
  void FindBase(History *x) {
    for (u32 i = 0; i < x->base_size; i++)
      prior_.Add(x->base[i]);
    known_.Clear();
    for (u32 w = 0; w < x->writers.size(); w++) {
      const WriterRef &ref = x->writers[w];
      u32 known = 0;
      if (ref.first_epoch != History::kNever) {
        u32 epoch = CommonEpoch(ref);
        if (ref.first_epoch <= epoch) {
          known = History::UpTo(ref->accesses, epoch);
          prior_.Add(ref->accesses[known - 1].node);
        }
      }
      known_.PushBack(known);
    }
    if (prior_.size() > History::kBase)
      return;
    x->base_size = prior_.size();
    for (u32 i = 0; i < prior_.size(); i++)
      x->base[i] = prior_[i];
    for (u32 w = 0; w < x->writers.size(); w++) {
      if (known_[w]) {
        x->writers[w]->accesses.PopFront(known_[w]);
        x->writers[w].Update();
      }
    }
  }

  // Adds, for each writer, the last of its stores that are not among the last
  // `window` of the location.
  void AddOutside(const History &x, u32 window) {
    for (u32 w = 0; w < x.writers.size(); w++) {
      if (!x.writers[w].stores())
        continue;
      const Writer &writer = *x.writers[w];
      u32 low = 0, high = writer.stores.size();
      while (low < high) {
        u32 middle = (low + high) / 2;
        if (writer.stores[middle]->serial + window <= x.serial)
          low = middle + 1;
        else
          high = middle;
      }
      if (low)
        prior_.Add(writer.stores[low - 1]);
    }
  }

  // Dooms what is before a member of prior_.
  void TakeOut(History *x) {
    prior_.MakeCut();
    for (u32 w = 0; w < x->writers.size(); w++) {
      WriterRef &ref = x->writers[w];
      u32 cut = prior_.Cut(w);
      if (!ref.stores() || cut < ref.first_ordinal)
        continue;
      for (u32 i = 0; i < prior_.size(); i++)
        if (prior_[i]->thread == w && prior_[i]->ordinal <= cut)
          cut = prior_[i]->ordinal - 1;
      u32 remove = ref.stores() - ref.CountAbove(cut);
      for (u32 i = 0; i < remove; i++) {
        Node *node = ref->stores[i];
        ref->floor = History::FloorOf(node);
        if (node->sc)
          ref->sc_floor = History::FloorOf(node);
        Doom(node);
      }
      ref->stores.PopFront(remove);
      ref.first_ordinal += remove;
    }
  }

  void RedirectAll(History *x) {
    for (u32 w = 0; w < x->writers.size(); w++) {
      if (!x->writers[w].writer)
        continue;
      Redirect(x->writers[w].writer);
      x->writers[w].Update();
    }
    u32 kept = 0;
    for (u32 i = 0; i < x->base_size; i++)
      if (Node *node = ModOrder::Survivor(x->base[i]))
        x->base[kept++] = node;
    x->base_size = kept;
    if (x->last_sc && x->last_sc->removed) {
      x->sc_floor = x->last_sc;
      x->last_sc = nullptr;
    }
    x->sc_floor = ModOrder::Survivor(x->sc_floor);
    if (x->newest && x->newest->removed)
      x->newest = nullptr;
  }

  // What a writer has accessed may be pruned while later RMWs of the same block
  // are not. Nothing may come between the two, so they stand for it.
  static void Redirect(Writer *writer) {
    writer->floor.node = ModOrder::Survivor(writer->floor.node);
    writer->sc_floor.node = ModOrder::Survivor(writer->sc_floor.node);
    // The accesses to pruned stores come first. Of those, the ones that have a
    // survivor come last, and it is the same for all of them.
    auto &accesses = writer->accesses;
    u32 gone = 0;
    while (gone < accesses.size() && accesses[gone].node->removed &&
           !ModOrder::Survivor(accesses[gone].node))
      gone++;
    u32 redirected = gone;
    while (redirected < accesses.size() && accesses[redirected].node->removed)
      redirected++;
    if (redirected > gone) {
      Access access = accesses[gone];
      access.node = ModOrder::Survivor(access.node);
      if (redirected < accesses.size() && accesses[redirected].node == access.node)
        accesses[redirected] = access;
      else
        accesses[--redirected] = access;
    }
    accesses.PopFront(redirected);
  }

  // Gives up writers of which nothing is left that could matter: all threads know
  // what was pruned of theirs. Returns how much is left of the others.
  u32 FindIdle(History *x) {
    u32 left = 0;
    for (u32 w = 0; w < x->writers.size(); w++) {
      WriterRef &ref = x->writers[w];
      if (!ref.writer)
        continue;
      u32 records = ref.stores() + ref->accesses.size();
      left += records;
      if (records || !Known(ref, ref->floor) || !Known(ref, ref->sc_floor))
        continue;
      idle.PushBack(ref.writer);
      ref.writer = nullptr;
      ref.slot = History::kNobody;
    }
    while (!x->writers.empty() && !x->writers.Back().writer) {
      u32 ordinal = x->writers.Back().last_ordinal;
      x->last_ordinal = ordinal > x->last_ordinal ? ordinal : x->last_ordinal;
      x->writers.PopBack();
    }
    return left;
  }
  bool Known(const WriterRef &ref, const Floor &floor) {
    return !floor.node || floor.epoch <= CommonEpoch(ref);
  }

  const MographOptions options_;
  CommonPast<Policy> common_past_;
  // Of the attempt under way.
  PriorSet<Policy> prior_;
  Queue<u32, Policy> known_; // by writer: the accesses that all threads know
};

} // namespace __heddle

#endif // HEDDLE_MODEL_MOGRAPH_PRUNE_H
