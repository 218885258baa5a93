//===-- seq_cst_graph.h - The order S as constraints ----------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The seq_cst operations, fences among them, and what is known of their order S
// (C++20 [atomics.order]p4). S need not be the order in which they run: there is
// one as long as the edges make no cycle. The engine asks before it adds an edge,
// so there never is a cycle, and nothing is ever taken back.
//
// The edges lead
//   - from an operation to one that it strongly happens before;
//   - where an access A is coherence-ordered before an access B, from A's sources,
//     which are A itself if it is seq_cst and the seq_cst fences that happen before
//     A, to B's sinks, which are B itself if it is seq_cst and the seq_cst fences
//     that B happens before (p4.1 to p4.4).
//
// The operations of one thread are in S as they are in the thread: a chain. So
// sources are a number for each chain, its last (Ordinals), and reachability is a
// comparison of numbers: an operation knows, for each chain, the last operation
// that is before it (`past`). An edge to an operation that was there before passes
// that on to all that follow. An edge to a new one costs no more than the numbers:
// that is the usual case, since whatever reads or follows the last store of a
// location is coherence-ordered before nothing.
//
// Strongly happens before. An operation `a` of a thread strongly happens before what
// another thread does next if something after `a` in its thread happens before it.
// In epochs: if the other thread has synchronised with the epoch of what comes after
// `a` (`strong_epoch`). That two seq_cst operations synchronise with each other
// themselves needs no edge of its own, they are coherence-ordered.
//
// Fences. That B happens before a fence Y is seen from either side. If Y is there
// when A comes, a search of the fences' clocks finds it (AddFenceSinks). If not, the
// sources wait for it (Await): Y has an edge from all that wait with an epoch that
// it has synchronised with.
//
// Forgetting. What is before the next operation of every thread in S can get no edge
// any more from outside of its own kind, so no cycle leads through it (Settle). A
// program whose threads never meet settles nothing. Above a limit, S is decided for
// the older half: nobody may overtake it any more. That loses executions, and adds none.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_MODEL_SEQ_CST_GRAPH_H
#define HEDDLE_MODEL_SEQ_CST_GRAPH_H

#include "heddle/model/common_past.h"
#include "heddle/model/pool.h"
#include "heddle/model/thread.h"

namespace __heddle {

struct MographInspector;

template <class Policy> class SeqCstGraph {
  friend struct MographInspector;

public:
  using Thread = ModelThread<Policy>;
  using Clock = typename Policy::Clock;
  using Sources = Ordinals<Policy>;
  using View = SeqCstView<Policy>;

  // `limit`: so many operations are kept, at most; `interval`: so many new ones come
  // between two attempts to forget, at least.
  SeqCstGraph(u32 limit, u32 interval)
      : limit_(limit), interval_(interval), until_settle_(interval) {}
  ~SeqCstGraph() {
    StartAnew();
    for (u32 c = 0; c < chains_.size(); c++) {
      chains_[c]->~Chain();
      Policy::Free(chains_[c]);
    }
  }
  SeqCstGraph(const SeqCstGraph &) = delete;
  SeqCstGraph &operator=(const SeqCstGraph &) = delete;

  // All clocks start anew.
  void StartAnew() {
    for (u32 c = 0; c < chains_.size(); c++) {
      Chain &chain = *chains_[c];
      for (u32 i = 0; i < chain.nodes.size(); i++)
        nodes_.Free(chain.nodes[i]);
      chain.nodes.Clear();
      for (u32 i = 0; i < chain.fences.size(); i++)
        chain.fences[i].clock.Clear();
      chain.fences.Clear();
      for (u32 i = 0; i < chain.waiting.size(); i++)
        waiting_.Free(chain.waiting[i]);
      chain.waiting.Clear();
      chain.last_ordinal = chain.fence_count = 0;
      chain.first_fence = kNone;
    }
    live_ = fences_ = 0;
    any_fence_ = false;
    settled_.Clear();
    settled_fences_.Clear();
    settled_clock_ = all_fences_ = Clock();
    decided_ = false;
    first_change_ = ++changes_;
  }

  // Whether there is anything that an operation which is not seq_cst need know of.
  bool matters() const { return live_ || decided_ || settled_fences_.size(); }
  u32 live() const { return live_; } // operations that are remembered
  // Whether it is the last seq_cst operation of the thread.
  bool IsLast(const Thread &thread, u32 ordinal) const {
    const u32 chain = ChainOf(thread.slot());
    return chain != kNone && chains_[chain]->last_ordinal == ordinal;
  }

  // Brings the thread's view up to date: what strongly happens before its next operation is
  // of use to a seq_cst one only. The thread's version changes if it may have more fences in
  // its past than its clock says.
  const View &Refresh(Thread *thread, bool sc) {
    View &view = thread->seq_cst;
    if (IsOld(view.fences, *thread))
      UpdateFences(thread, &view);
    if (sc && IsOld(view.strong, *thread))
      UpdateStrong(*thread, &view);
    return view;
  }

  // A bound on what the thread's next operation may read: accesses that are sinks, or
  // lead to sinks, before it in S. Of the thread in `slot`: the last of its epochs that
  // happens before such a fence,
  u32 FenceBound(const View &view, bool sc, u32 slot) const {
    u32 bound = view.has_fences ? view.fences.clock.Get(slot) : 0;
    if (sc)
      bound = Larger(bound, view.strong.clock.Get(slot));
    return decided_ ? Larger(bound, settled_clock_.Get(slot)) : bound;
  }
  // and the last of its seq_cst operations.
  u32 AccessBound(const View &view, bool sc, u32 slot) const {
    const u32 chain = ChainOf(slot);
    if (chain == kNone)
      return 0;
    u32 bound = view.has_fences ? view.fences.all.Get(chain) : 0;
    if (sc)
      bound = Larger(bound, view.strong.all.Get(chain));
    return decided_ ? Larger(bound, settled_.Get(chain)) : bound;
  }
  // Whether there is any.
  bool Bounds(const View &view, bool sc) const { return sc || view.has_fences || decided_; }

  // A seq_cst load or store of the thread, whose view is up to date: what comes after
  // it in its thread is of `strong_epoch` or later. Returns its ordinal.
  u32 AddAccess(Thread *thread, u32 strong_epoch, const Sources *before, const Sources *also) {
    Node *node = NewNode(thread, strong_epoch);
    if (before)
      Include(node, *before);
    if (also)
      Include(node, *also);
    Added(thread, node);
    return node->ordinal;
  }

  // A seq_cst fence, but for its releasing.
  void AddFence(Thread *thread) {
    Refresh(thread, true);
    // What strongly happens before the fence does so without what the fence acquires.
    Node *node = NewNode(thread, 0);
    thread->AcquireFence();
    Refresh(thread, false);
    View &view = thread->seq_cst;
    Include(node, view.fences.last);
    for (u32 c = 0; c < chains_.size(); c++) {
      const auto &waiting = chains_[c]->waiting;
      if (u32 i = FirstAfter(waiting, thread->clock().Get(chains_[c]->slot)))
        Include(node, waiting[i - 1]->sources);
    }
    Chain &chain = *chains_[node->chain];
    Fence fence{thread->epoch(), node->ordinal, {}};
    thread->Release(&fence.clock);
    // The clocks of a chain grow, also where another thread had the slot before.
    if constexpr (Policy::kSlotsReused)
      if (!chain.fences.empty() && chain.fences.Back().epoch < Policy::FirstEpoch(chain.slot))
        fence.clock.Join(chain.fences.Back().clock);
    chain.fences.PushBack(fence);
    fence.clock.JoinInto(&all_fences_);
    any_fence_ = true;
    if (chain.first_fence > fence.epoch)
      chain.first_fence = fence.epoch;
    node->strong_epoch = thread->NextEpoch();
    node->fences = ++chain.fence_count;
    fences_++;
    Added(thread, node);
    AddTo(&view.fences, node->chain, node->ordinal, *node);
    view.has_fences = true;
    // Its clock is of use to others who come after it, and says nothing new to its thread.
    view.fences.fences.Raise(node->chain, chain.fence_count);
    view.strong.fences.Raise(node->chain, chain.fence_count);
  }

  // Fills `sources` with those of an operation of the thread, but for itself.
  void GetSources(const View &view, Sources *sources) const {
    sources->Clear();
    if (view.has_fences)
      sources->Join(view.fences.last);
  }
  void AddTo(Sources *sources, u32 slot, u32 ordinal) const {
    sources->Raise(ChainOf(slot), ordinal);
  }

  // Fences that come, and that an access of `epoch` of the thread in `slot` happens
  // before, are to come after these sources.
  void Await(u32 slot, u32 epoch, const Sources &sources) {
    if (settled_.Covers(sources))
      return;
    auto &waiting = Provide(slot).waiting;
    u32 at = waiting.size();
    if (at && waiting[at - 1]->epoch > epoch)
      at = FirstAfter(waiting, epoch);
    const Waiting *before = at ? waiting[at - 1] : nullptr;
    if (before && before->sources.Covers(sources))
      return;
    if (before && before->epoch == epoch) {
      at--;
    } else {
      Waiting *entry = waiting_.New();
      entry->epoch = epoch;
      entry->sources.Clear();
      if (before)
        entry->sources.Join(before->sources);
      waiting.Insert(at, entry);
      CountDown();
    }
    while (at < waiting.size() && waiting[at]->sources.Join(sources))
      at++;
  }

  // Of each chain, the first operation that an operation under way overtakes.
  void ClearSinks() {
    sinks_.Clear();
    while (sinks_.size() < chains_.size())
      sinks_.PushBack(0);
  }
  void AddSink(u32 slot, u32 ordinal) { AddSinkOf(ChainOf(slot), ordinal); }
  // The fences that an access of `epoch` of the thread in `slot` happens before.
  void AddFenceSinks(u32 slot, u32 epoch) {
    if (!fences_ || all_fences_.Get(slot) < epoch)
      return;
    for (u32 c = 0; c < chains_.size(); c++) {
      const auto &fences = chains_[c]->fences;
      u32 low = 0, high = fences.size();
      if (!high || fences[high - 1].clock.Get(slot) < epoch)
        continue;
      while (low < high) {
        const u32 middle = (low + high) / 2;
        if (fences[middle].clock.Get(slot) < epoch)
          low = middle + 1;
        else
          high = middle;
      }
      AddSinkOf(c, fences[low].ordinal);
    }
  }
  // Puts the sources before the sinks. None of the sinks may be before a source.
  void Order(const Sources &sources) {
    for (u32 to = 0; to < sinks_.size(); to++) {
      Node *node = sinks_[to] ? Find(to, sinks_[to]) : nullptr;
      if (!node)
        continue;
      bool changed = false;
      node->past.ForEachAbove(
          sources, [&](u32 from, u32 ordinal) { changed |= AddEdge(from, ordinal, node); });
      if (changed)
        PassOn(node);
    }
  }

  // Forgets, if it is time to.
  void MaybeSettle(const CommonPast<Policy> &threads) {
    if (until_settle_ > 1 || !live_)
      return;
    Settle(threads);
    if (live_ > limit_)
      DecideOlderHalf();
    until_settle_ = interval_ > 1 && live_ > interval_ ? live_ : interval_;
  }

private:
  static constexpr u32 kNone = ~0u;

  struct Node {
    u32 chain, ordinal;
    u32 strong_epoch;
    u32 fences; // of the chain, up to it
    u64 change; // when its past has grown, by changes_
    Sources past;
    Queue<Node *, Policy> after; // but for the next of the chain
    Node *next_free;
  };
  struct Fence { // plain data
    u32 epoch, ordinal;
    Released<Policy> clock;
  };
  // All sources that wait for fences which have synchronised with the epoch: those of
  // earlier entries, and more.
  struct Waiting {
    u32 epoch;
    Sources sources;
    Waiting *next_free;
  };
  struct Chain {
    u32 slot;
    u32 last_ordinal = 0;        // of the last of nodes; ordinals have no gaps
    u32 fence_count = 0;         // so far
    u32 first_fence = kNone;     // its epoch
    Queue<Node *, Policy> nodes; // those that are not settled
    Queue<Fence, Policy> fences; // likewise
    Queue<Waiting *, Policy> waiting;
  };

  static u32 Larger(u32 a, u32 b) { return a > b ? a : b; }

  u32 ChainOf(u32 slot) const { return slot < chain_of_.size() ? chain_of_[slot] : kNone; }
  Chain &Provide(u32 slot) {
    while (chain_of_.size() <= slot)
      chain_of_.PushBack(kNone);
    if (chain_of_[slot] == kNone) {
      chain_of_[slot] = chains_.size();
      slots_.PushBack(slot);
      auto *chain = new (Placed{Policy::Allocate(sizeof(Chain))}) Chain();
      chain->slot = slot;
      chains_.PushBack(chain);
    }
    return *chains_[chain_of_[slot]];
  }
  // None if it is settled.
  Node *Find(u32 chain, u32 ordinal) const {
    const Chain &c = *chains_[chain];
    const u32 back = c.last_ordinal - ordinal;
    return ordinal && back < c.nodes.size() ? c.nodes[c.nodes.size() - 1 - back] : nullptr;
  }
  // The first entry of a later epoch.
  static u32 FirstAfter(const Queue<Waiting *, Policy> &waiting, u32 epoch) {
    u32 low = 0, high = waiting.size();
    while (low < high) {
      const u32 middle = (low + high) / 2;
      if (waiting[middle]->epoch <= epoch)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  //===-- Views -----------------------------------------------------------===//

  bool IsOld(const typename View::Past &past, const Thread &thread) const {
    return past.version != thread.version() || past.changes != changes_;
  }
  __attribute__((noinline)) void UpdateFences(Thread *thread, View *view) {
    typename View::Past &past = view->fences;
    if (past.changes < first_change_) {
      past.Clear();
      view->has_fences = false;
    }
    const bool changed = past.changes != changes_; // or the thread is new
    bool more = changed && past.all.Join(settled_fences_);
    if (any_fence_) {
      ForEachNewBound(*thread, &past, [&](u32 c, u32 bound) {
        const Chain &chain = *chains_[c];
        if (chain.first_fence <= bound)
          view->has_fences = true;
        if (u32 ordinal = LastFence(chain, past.last.Get(c), bound)) {
          AddTo(&past, c, ordinal, *Find(c, ordinal));
          more = true;
        }
      });
    }
    more |= Complete(&past, changed);
    if (changed && (more || decided_))
      thread->NewVersion();
    past.version = thread->version();
  }
  __attribute__((noinline)) void UpdateStrong(const Thread &thread, View *view) {
    typename View::Past &past = view->strong;
    if (past.changes < first_change_) {
      past.Clear();
      view->fresh.Clear();
      view->own = {};
      view->last_load = 0;
    }
    const bool changed = past.changes != changes_;
    if (changed)
      past.all.Join(settled_);
    ForEachNewBound(thread, &past, [&](u32 c, u32 bound) {
      if (u32 ordinal = LastStrong(*chains_[c], past.last.Get(c), bound)) {
        AddTo(&past, c, ordinal, *Find(c, ordinal));
        view->fresh.PushBack({c, ordinal});
      }
    });
    Complete(&past, changed);
    past.version = thread.version();
  }
  // Calls learn(chain, epoch) where the thread has synchronised with a later epoch than before.
  // Who knows of an epoch knows of all that was done in it: its thread has ended it.
  template <class Function>
  void ForEachNewBound(const Thread &thread, typename View::Past *past, Function learn) {
    for (u32 c = 0; c < slots_.size(); c++) {
      const u32 bound = thread.clock().Get(slots_[c]);
      if (past->bounds.Raise(c, bound))
        learn(c, bound);
    }
  }
  // Adds what comes before the operations in `last` by now. Whether there is more.
  bool Complete(typename View::Past *past, bool changed) {
    bool more = false;
    if (changed) {
      past->seen.ForEachAbove(chain_changes_, [&](u32 c, u32) {
        Node *node = Find(c, past->last.Get(c));
        if (node && node->change > past->changes)
          more |= past->all.Join(node->past);
      });
      past->seen.Join(chain_changes_);
      // A thread that has waited for another one's end, or is new, finds nothing any more of
      // what was forgotten meanwhile.
      past->clock.Join(settled_clock_);
    }
    JoinClocks(past);
    past->changes = changes_;
    return more;
  }
  static void AddTo(typename View::Past *past, u32 chain, u32 ordinal, const Node &node) {
    past->last.Raise(chain, ordinal);
    past->all.Join(node.past);
  }
  void JoinClocks(typename View::Past *past) {
    if (!fences_)
      return;
    past->joined.ForEachAbove(past->all, [&](u32 c, u32 ordinal) {
      const Chain &chain = *chains_[c];
      const Node *node = chain.fences.size() ? Find(c, ordinal) : nullptr;
      if (!node || !past->fences.Raise(c, node->fences))
        return;
      const u32 gone = chain.fence_count - chain.fences.size();
      if (node->fences > gone)
        chain.fences[node->fences - gone - 1].clock.JoinInto(&past->clock);
    });
    past->joined.Join(past->all);
  }
  // The last operation after `known` that strongly happens before whoever has synchronised
  // with the epoch `bound`, if there is one.
  static u32 LastStrong(const Chain &chain, u32 known, u32 bound) {
    if (chain.last_ordinal == known || chain.nodes.empty())
      return 0;
    if (chain.nodes.Back()->strong_epoch <= bound)
      return chain.last_ordinal;
    const u32 first = chain.last_ordinal - chain.nodes.size() + 1; // of nodes
    u32 low = known >= first ? known - first + 1 : 0, high = chain.nodes.size() - 1;
    if (chain.nodes[low]->strong_epoch > bound)
      return 0;
    while (low < high) {
      const u32 middle = (low + high) / 2;
      if (chain.nodes[middle]->strong_epoch <= bound)
        low = middle + 1;
      else
        high = middle;
    }
    return first + low - 1;
  }
  // Likewise for the fences that happen before it.
  static u32 LastFence(const Chain &chain, u32 known, u32 bound) {
    u32 low = 0, high = chain.fences.size();
    if (!high || chain.fences[high - 1].ordinal == known)
      return 0;
    if (chain.fences[high - 1].epoch <= bound)
      return chain.fences[high - 1].ordinal;
    while (low < high) {
      const u32 middle = (low + high) / 2;
      if (chain.fences[middle].epoch <= bound)
        low = middle + 1;
      else
        high = middle;
    }
    return low && chain.fences[low - 1].ordinal > known ? chain.fences[low - 1].ordinal : 0;
  }

  //===-- Edges -----------------------------------------------------------===//

  // After all that strongly happens before it. Not part of its chain yet.
  Node *NewNode(Thread *thread, u32 strong_epoch) {
    Chain &chain = Provide(thread->slot());
    View &view = thread->seq_cst;
    Node *node = nodes_.New();
    node->chain = chain_of_[thread->slot()];
    node->ordinal = chain.last_ordinal + 1;
    node->strong_epoch = strong_epoch;
    node->fences = chain.fence_count;
    node->change = 0;
    node->after.Clear();
    node->past.Clear();
    node->past.Join(view.strong.all);
    node->past.Raise(node->chain, node->ordinal);
    for (u32 i = 0; i < view.fresh.size(); i++)
      if (Node *before = Find(view.fresh[i].chain, view.fresh[i].ordinal))
        if (before->chain != node->chain)
          before->after.PushBack(node);
    view.fresh.Clear();
    // Where the thread had another slot before.
    if (view.own.ordinal && view.own.chain != node->chain)
      if (Node *before = Find(view.own.chain, view.own.ordinal))
        before->after.PushBack(node);
    view.own = {node->chain, node->ordinal};
    // Where another thread had the slot before.
    if (!chain.nodes.empty())
      node->past.Join(chain.nodes.Back()->past);
    return node;
  }
  void Include(Node *node, const Sources &sources) {
    node->past.ForEachAbove(sources, [&](u32 c, u32 ordinal) { AddEdge(c, ordinal, node); });
  }
  // Whether `to` has learnt something.
  bool AddEdge(u32 chain, u32 ordinal, Node *to) {
    if (to->past.Get(chain) >= ordinal)
      return false;
    Node *from = Find(chain, ordinal);
    if (!from)
      return false; // settled
    from->after.PushBack(to);
    return to->past.Join(from->past);
  }
  void Added(Thread *thread, Node *node) {
    Chain &chain = *chains_[node->chain];
    chain.nodes.PushBack(node);
    chain.last_ordinal = node->ordinal;
    AddTo(&thread->seq_cst.strong, node->chain, node->ordinal, *node);
    JoinClocks(&thread->seq_cst.strong);
    live_++;
    CountDown();
  }
  void CountDown() { until_settle_ -= until_settle_ > 1; }
  // The past of a node has grown: so has that of all after it.
  void PassOn(Node *node) {
    changes_++;
    work_.PushBack(node);
    while (!work_.empty()) {
      Node *from = work_.Back();
      work_.PopBack();
      from->change = changes_;
      chain_changes_.Raise(from->chain, chain_changes_.Get(from->chain) + 1);
      if (Node *next = Find(from->chain, from->ordinal + 1))
        if (next->past.Join(from->past))
          work_.PushBack(next);
      for (u32 i = 0; i < from->after.size(); i++)
        if (from->after[i]->past.Join(from->past))
          work_.PushBack(from->after[i]);
    }
  }
  void AddSinkOf(u32 chain, u32 ordinal) {
    if (!sinks_[chain] || ordinal < sinks_[chain])
      sinks_[chain] = ordinal;
  }

  //===-- Forgetting ------------------------------------------------------===//

  // As long as there are fences, what is before a fence that happens before the
  // thread's next operation counts, for any operation of the thread may have that
  // fence as a source. If there are none but settled ones, only its seq_cst operations
  // are sources that matter. What is settled then is no bound for others: it cannot be
  // before a fence that was settled earlier.
  __attribute__((noinline)) void Settle(const CommonPast<Policy> &threads) {
    bool first = true;
    common_.Clear();
    auto join_past = [&](Thread *thread) {
      if (!thread || thread->behind)
        return;
      const View &view = Refresh(thread, !fences_);
      joined_.Join(fences_ ? view.fences.all : view.strong.all);
    };
    threads.ForEach([&](const auto &member) {
      joined_.Clear();
      join_past(member.thread);
      join_past(member.awaited);
      for (u32 c = 0; c < chains_.size(); c++) {
        if (first)
          common_.Raise(c, joined_.Get(c));
        else
          common_.Lower(c, joined_.Get(c));
      }
      first = false;
    });
    if (!first)
      Forget(common_);
  }
  void DecideOlderHalf() {
    u32 longest = 0;
    for (u32 c = 1; c < chains_.size(); c++)
      if (chains_[c]->nodes.size() > chains_[longest]->nodes.size())
        longest = c;
    const auto &nodes = chains_[longest]->nodes;
    common_.Clear();
    common_.Join(nodes[nodes.size() / 2]->past);
    decided_ = true;
    Forget(common_);
  }
  // `upto` has all that is before it.
  void Forget(const Sources &upto) {
    if (!settled_.Join(upto))
      return;
    changes_++;
    if (fences_)
      settled_fences_.Join(settled_);
    for (u32 c = 0; c < chains_.size(); c++) {
      Chain &chain = *chains_[c];
      u32 nodes = 0, fences = 0, waiting = 0;
      while (nodes < chain.nodes.size() && chain.nodes[nodes]->ordinal <= settled_.Get(c))
        nodes_.Free(chain.nodes[nodes++]);
      chain.nodes.PopFront(nodes);
      live_ -= nodes;
      while (fences < chain.fences.size() && chain.fences[fences].ordinal <= settled_.Get(c)) {
        chain.fences[fences].clock.JoinInto(&settled_clock_);
        chain.fences[fences++].clock.Clear();
      }
      chain.fences.PopFront(fences);
      fences_ -= fences;
      while (waiting < chain.waiting.size() && settled_.Covers(chain.waiting[waiting]->sources))
        waiting_.Free(chain.waiting[waiting++]);
      chain.waiting.PopFront(waiting);
    }
  }

  const u32 limit_, interval_;
  u32 until_settle_;
  bool decided_ = false;   // what is settled is in nobody's future, whatever their clocks say
  u32 live_ = 0;           // nodes
  u32 fences_ = 0;         // among them
  bool any_fence_ = false; // since clocks have started anew
  u64 changes_ = 1;        // of all chains
  u64 first_change_ = 0;   // since clocks have started anew
  Queue<Chain *, Policy> chains_;
  Queue<u32, Policy> slots_;    // by chain
  Sources chain_changes_;       // by chain, of what nodes know that were there before
  Queue<u32, Policy> chain_of_; // by slot
  Sources settled_;             // forgotten, and in everybody's past
  Sources settled_fences_;      // likewise, when there were fences
  Clock settled_clock_{};       // what happens before the fences among it
  Clock all_fences_{};          // what happens before any fence
  Pool<Node, Policy> nodes_;
  Pool<Waiting, Policy> waiting_;

  // Kept for their memory.
  Sources common_, joined_;
  Queue<u32, Policy> sinks_; // by chain; 0: none
  Queue<Node *, Policy> work_;
};

} // namespace __heddle

#endif // HEDDLE_MODEL_SEQ_CST_GRAPH_H
