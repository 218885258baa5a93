//===-- mograph.h - The memory model of C++20 -----------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The executions of C++20 in which sb and rf together are acyclic. It grew from
// C11Tester's engine (Luo and Demsky, ASPLOS 2021), which has C++11's seq_cst;
// SeqCstRules::kCxx11 keeps those rules for comparison.
//
// Operations come one by one, in an order that agrees with sb and rf. Three things
// are open when one comes, and no more: what it reads, where a store goes in
// modification order, and where a seq_cst operation goes in S. The first two are
// chosen at once. S is never chosen: it is a graph of constraints (SeqCstGraph).
//
// Where each axiom is enforced:
//   CoWW, CoRW, CoWR, CoRR     FindFloor: nothing goes before what happens before it
//   RMWs are immediate         `rmw`: nothing is put between the two
//   S agrees with strongly     SeqCstGraph::AddAccess, AddFence
//     happens before
//   S agrees with coherence    FindFloor: what would overtake an operation that is
//     order, p4.1 to p4.4        before it in S is not offered; edges: Precede
//   release sequences, fences  Node::released, ModelThread
//   sb, rf acyclic             a load finds only stores that were executed
//
// Whatever has been chosen, there is a way to go on: an operation that reads the
// last store of its location, or becomes it, is the target of new edges only. It is
// coherence-ordered before nothing and happens before nothing, so no constraint
// leads from it to anything that is there. And nothing is missing: an execution
// without its last operations is an execution, so each is reached by making its
// choices in any order that agrees with sb and rf.
//
// What is not offered. Say that a load R overtakes an access B if it reads a store
// before that which B reads or wrote. Then each source of R precedes each sink of B
// (the words are SeqCstGraph's). That is possible unless some sink of B precedes
// some source of R already. As to R itself, if it is seq_cst: it also comes after the
// sources of each A that is coherence-ordered before it. Such an A is
// coherence-ordered before B as well, so those precede B's sinks already, and
// matter no more. So what decides is what precedes R without regard to what it reads:
// the fences that happen before it, and, if it is seq_cst, what strongly happens
// before it. Nor does it matter what R acquires: a fence that R comes to know by
// reading W happens before the head of a release sequence up to W, which is
// coherence-ordered before B. So for each thread it is two numbers, as it is for
// happens-before: of its accesses to the location, the last that happens before a
// fence which precedes R (FenceBound), and the last that is seq_cst and precedes R
// itself (AccessBound). Stores and RMWs are placed by the same numbers.
//
// Why modification order is chosen at once. The paper leaves it open until somebody
// looks, too. With both open it is a hard question whether an order exists: for
// programs with seq_cst accesses only, it is whether a history with known rf is
// sequentially consistent, which is NP-complete (Gibbons and Korach, "Testing shared
// memories", 1997). With one of the two chosen it is a walk through a graph.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_MODEL_MOGRAPH_H
#define HEDDLE_MODEL_MOGRAPH_H

#include "heddle/model/mograph_prune.h"
#include "heddle/model/pool.h"
#include "heddle/model/seq_cst_graph.h"
#include "heddle/model/thread.h"

namespace __heddle {

struct MographInspector; // looks into it, in tests

template <class Policy> class MographEngine {
  friend struct MographInspector;
  using ReleasedClock = Released<Policy>;
  using History = MographHistory<Policy>;
  using Node = typename History::Node;
  using Sources = typename History::Sources;
  using Writer = typename History::Writer;
  using WriterRef = typename History::WriterRef;

public:
  using Value = typename Policy::Value;
  using Clock = typename Policy::Clock;
  using Thread = ModelThread<Policy>;

  explicit MographEngine(MographOptions options = MographOptions())
      : pruner_(options), graph_(options.max_seq_cst, options.prune_interval > 1 ? 64 : 1),
        prune_(options.prune), cxx11_(options.seq_cst == SeqCstRules::kCxx11),
        prune_interval_(options.prune_interval) {}
  MographEngine(const MographEngine &) = delete;
  MographEngine &operator=(const MographEngine &) = delete;

  class Location {
  public:
    Location(MographEngine *engine, const Value &initial) : engine_(engine) {
      history_.until_prune = engine->prune_interval_;
      Node *node = engine->NewNode(initial, 0, 0, Order::kRelaxed, false);
      node->position = 0;
      history_.stores.PushBack(node);
    }
    ~Location() { engine_->Release(&history_); }
    Location(const Location &) = delete;
    Location &operator=(const Location &) = delete;

    // The number of stores that are remembered.
    u32 stores() const { return history_.stores.size(); }
    // The last one, and that with so many after it.
    const Value &Latest() const { return Restore(0); }
    const Value &Restore(u32 newer) const {
      return history_.stores[history_.stores.size() - 1 - newer]->value;
    }

    // Joins into `clock` all that loads could acquire.
    void JoinReleased(Clock *clock) const {
      for (u32 i = 0; i < history_.stores.size(); i++)
        history_.stores[i]->released.JoinInto(clock);
    }
    // What those acquire who read the initial value.
    void SetInitiallyReleased(const Clock &clock) { history_.stores[0]->released.SetJoined(clock); }

  private:
    friend class MographEngine;
    friend struct MographInspector;

    MographEngine *engine_;
    History history_;
  };

  // Threads take part in pruning from here on, to the end given.
  void Begin(Thread *thread) { pruner_.threads.Begin(thread); }
  void End(const Thread *thread) { pruner_.threads.End(thread); }
  void Await(const Thread *thread, Thread *awaited) { pruner_.threads.Await(thread, awaited); }

  // All clocks start anew, and there is no location left.
  void StartAnew() {
    pruner_.threads.StartAnew();
    graph_.StartAnew();
    sc_ = SeqCstOrder<Policy>();
    visible_.StartAnew();
  }

  // `choices.Read(n, views)` answers which of n stores is read, 0 being the last in
  // modification order; `choices.Place(n)` which of n places a store takes, 0 being the
  // last; `choices.Spurious()` whether a weak compare-exchange fails for no reason.
  // What is read is known as the store with thread->newer stores after it.
  template <class Choices> Value Load(Thread *thread, Location *x, Order order, Choices &&choices) {
    History &history = Enter(thread, x, IsSeqCst(order));
    const u32 floor = FindFloor(*thread, history, IsSeqCst(order), false);
    if (cxx11_ && IsSeqCst(order)) {
      List(history, floor, [&](const Node *node) { return SeqCstAllows(history, node); });
      return Read(thread, &history, options_[ChooseRead(options_.size(), choices)], order);
    }
    const u32 readable = history.Last() - floor + 1;
    return Read(thread, &history, history.Last() - ChooseRead(readable, choices), order);
  }

  // Whether the store is the last in modification order.
  template <class Choices>
  bool Store(Thread *thread, Location *x, const Value &value, Order order, Choices &&choices) {
    History &history = Enter(thread, x, IsSeqCst(order));
    const u32 floor = FindFloor(*thread, history, IsSeqCst(order), true);
    Node *before = history.stores.Back();
    if (floor != before->position) {
      List(history, floor, [&](const Node *node) { return MayFollow(history, node); });
      if (options_.size() > 1)
        before = history.At(options_[choices.Place(options_.size())]);
    }
    Node *node = NewNode(value, thread->slot(), thread->epoch(), order, false);
    if (IsRelease(order))
      thread->Release(&node->released); // [RELEASE STORE]
    else
      node->released.Share(thread->release_fence()); // [RELAXED STORE]
    return Insert(thread, &history, before, node, order);
  }

  // `last` becomes whether the new store is the last in modification order.
  template <class Function, class Choices>
  Value Rmw(Thread *thread, Location *x, Function function, Order order, Choices &&choices,
            bool *last = nullptr) {
    History &history = Enter(thread, x, IsSeqCst(order));
    const u32 floor = FindFloor(*thread, history, IsSeqCst(order), true);
    Node *read = history.stores.Back();
    if (floor != read->position) {
      List(history, floor, [&](const Node *node) { return RmwMayRead(history, node, order); });
      read = history.At(options_[ChooseRead(options_.size(), choices)]);
    }
    Value old = read->value;
    const bool is_last = Modify(thread, &history, read, function(old), order);
    if (last)
      *last = is_last;
    return old;
  }

  // See BufferEngine::CompareExchange. A success may read any store that an RMW
  // may read, if it has the expected value; `expected` is that store's then.
  template <class Choices>
  bool CompareExchange(Thread *thread, Location *x, Value *expected, const Value &desired,
                       Order order, Order failure, bool weak, Choices &&choices,
                       bool *last = nullptr) {
    History &history = Enter(thread, x, IsSeqCst(order) || IsSeqCst(failure));
    const u32 success_floor = FindFloor(*thread, history, IsSeqCst(order), true);
    const u32 failure_floor = IsSeqCst(order) == IsSeqCst(failure) && !cxx11_
                                  ? success_floor
                                  : FindFloor(*thread, history, IsSeqCst(failure), false);
    auto may_succeed = [&](const Node *node) {
      return node->position >= success_floor && node->value == *expected &&
             RmwMayRead(history, node, order);
    };
    auto may_fail = [&](const Node *node) {
      return node->position >= failure_floor && (weak || node->value != *expected) &&
             (!cxx11_ || !IsSeqCst(failure) || SeqCstAllows(history, node));
    };
    List(history, success_floor < failure_floor ? success_floor : failure_floor,
         [&](const Node *node) { return may_succeed(node) || may_fail(node); });
    const u32 position = options_[ChooseRead(options_.size(), choices)];
    Node *node = history.At(position);
    if (may_succeed(node) && !(may_fail(node) && choices.Spurious())) {
      *expected = node->value;
      const bool is_last = Modify(thread, &history, node, desired, order);
      if (last)
        *last = is_last;
      return true;
    }
    *expected = Read(thread, &history, position, failure);
    return false;
  }

  void Fence(Thread *thread, Order order) {
    if (cxx11_ || !IsSeqCst(order))
      return PerformFence(thread, &sc_, order);
    graph_.AddFence(thread);
    thread->ReleaseFence();
    thread->NewVersion();
    Settle();
  }

  // What the thread has done so far is seen by all others: it waits in the operating
  // system, and stores become visible in finite time.
  void BecomeVisible(Thread *thread) { visible_.Add(thread); }
  // The thread has woken others there, and one of them goes on.
  void Wakes(const Thread &thread) { visible_.AddWaker(thread); }
  void Woken(Thread *thread) { visible_.Woken(thread); }

  u64 stores() const { return total_stores_; }

private:
  // Begins an operation of `thread` on `x`.
  History &Enter(Thread *thread, Location *x, bool sc) {
    History &history = x->history_;
    if (pruner_.Settled(history))
      Prune(&history);
    view_ = !cxx11_ && (sc || graph_.matters()) ? &graph_.Refresh(thread, sc) : nullptr;
    visible_.Refresh(thread);
    own_ = history.Find(thread->slot());
    version_ = thread->version();
    return history;
  }

  //===-- What may be read, and where a store may go ----------------------===//

  // The position of the first store that an operation of `thread` now may read, or
  // that a store may follow.
  //
  // Where the thread has learnt nothing since its last access, that is after all
  // the others already, and stands for them.
  u32 FindFloor(const Thread &thread, const History &x, bool sc, bool stores) {
    if (!sc && own_ < x.writers.size() && x.writers[own_].version == version_)
      return x.writers[own_].last->position;
    const bool bounded = view_ && graph_.Bounds(*view_, sc);
    u32 floor = x.First();
    auto raise = [&](const Node *node) { floor = node->position > floor ? node->position : floor; };
    for (u32 w = 0; w < x.writers.size(); w++) {
      const WriterRef &ref = x.writers[w];
      u32 bound = visible_.Bound(thread, ref.slot);
      if (bounded) {
        const u32 fence = graph_.FenceBound(*view_, sc, ref.slot);
        bound = fence > bound ? fence : bound;
        if (!ref->seq_cst.empty())
          if (u32 n = History::UpTo(ref->seq_cst, graph_.AccessBound(*view_, sc, ref.slot)))
            raise(ref->seq_cst[n - 1].node);
      }
      if (bound >= ref.last_epoch)
        raise(ref.last);
      else if (bound >= ref.first_epoch)
        raise(ref->accesses[History::UpTo(ref->accesses, bound) - 1].node);
    }
    if (cxx11_)
      Floor2011(thread, x, sc, stores, raise);
    return floor;
  }

  // Fills options_ with the positions from `floor` on that satisfy the test, the last
  // first.
  template <class Test> void List(const History &x, u32 floor, Test test) {
    options_.Clear();
    for (u32 i = x.stores.size(); i-- > floor - x.First();)
      if (test(x.stores[i]))
        options_.PushBack(x.stores[i]->position);
  }

  // Of the options, the oldest is what the thread knows of already.
  template <class Choices> static u32 ChooseRead(u32 options, Choices &&choices) {
    return options > 1 ? choices.Read(options, Views{1, options - 1}) : 0;
  }

  // Nothing comes between a store and the RMW that read it.
  static bool MayFollow(const History &x, const Node *node) {
    return node == x.stores.Back() || !x.At(node->position + 1)->rmw;
  }
  bool RmwMayRead(const History &x, const Node *node, Order order) const {
    return MayFollow(x, node) && (!cxx11_ || !IsSeqCst(order) || SeqCstAllows(x, node));
  }

  //===-- C++11's rules ---------------------------------------------------===//

  // Figure 11 of the paper, S being the order of execution.
  template <class Raise>
  void Floor2011(const Thread &thread, const History &x, bool sc, bool stores, Raise raise) const {
    // mo agrees with S.
    if (sc && stores && x.last_sc)
      raise(x.last_sc);
    for (u32 i = x.stores.size(); i-- > 0;) {
      const Node *node = x.stores[i];
      // S3: a store, a seq_cst fence, a seq_cst fence of this thread.
      // S2: a seq_cst store, and a seq_cst fence of this thread.
      // S1: a store, a seq_cst fence, and the operation is seq_cst itself.
      if ((thread.has_sc_fence &&
           (node->epoch <= thread.sc_fences.Get(node->slot) ||
            (node->sc && node->epoch <= thread.sc_writes.Get(node->slot)))) ||
          (sc && node->epoch <= sc_.fences.Get(node->slot)))
        return raise(node);
    }
  }

  // 29.3p3: a seq_cst load reads the last seq_cst store S, or a store that is not
  // seq_cst and does not happen before S. S's released clock is its thread's.
  static bool SeqCstAllows(const History &x, const Node *node) {
    if (!x.last_sc || node == x.last_sc)
      return true;
    return !node->sc && node->epoch && node->epoch > x.last_sc->released.Get(node->slot);
  }

  //===-- Effects ---------------------------------------------------------===//

  Value Read(Thread *thread, History *x, u32 position, Order order) {
    Node *node = x->At(position);
    thread->newer = x->Last() - position;
    thread->read = node->serial;
    Value value = node->value;
    const u32 ordinal = view_ ? OrderLoad(thread, x, node, IsSeqCst(order)) : 0;
    thread->ReadFrom(node->released, IsAcquire(order));
    Note(*thread, x, thread->epoch(), node, ordinal);
    return value;
  }

  bool Modify(Thread *thread, History *x, Node *read, const Value &value, Order order) {
    Node *node = NewNode(value, thread->slot(), thread->epoch(), order, true);
    // What strongly happens before the RMW does so without what it acquires.
    thread->ReadFrom(read->released, IsAcquire(order));
    node->released.Share(read->released); // RMWs continue every release sequence
    ReleasedClock own;
    if (IsRelease(order))
      thread->Release(&own); // [RELEASE RMW]
    else
      own.Share(thread->release_fence()); // [RELAXED RMW]
    if (read->released.Empty() || (IsRelease(order) && IsAcquire(order)))
      node->released.Share(own); // which includes the rest
    else
      node->released.Join(own);
    own.Clear();
    return Insert(thread, x, read, node, order);
  }

  // Puts the store behind `before`. Whether it is the last then.
  bool Insert(Thread *thread, History *x, Node *before, Node *node, Order order) {
    const u32 ordinal = view_ ? OrderStore(thread, x, before, node, IsSeqCst(order)) : 0;
    thread->newer = x->Last() - before->position;
    const bool last = !thread->newer;
    if (last) {
      x->stores.PushBack(node);
    } else {
      const u32 at = before->position + 1 - x->First();
      x->stores.Insert(at, node);
      for (u32 i = at + 1; i < x->stores.size(); i++)
        x->stores[i]->position++;
    }
    node->position = before->position + 1;
    if (cxx11_ && IsSeqCst(order)) {
      x->last_sc = node;
      sc_.Write(*thread);
    }
    const u32 epoch = thread->epoch();
    if (IsRelease(order))
      thread->EndEpoch();
    Note(*thread, x, epoch, node, ordinal);
    return last;
  }

  //===-- The order S -----------------------------------------------------===//

  // A load that reads `node`. Returns its ordinal, if it is seq_cst.
  u32 OrderLoad(Thread *thread, History *x, Node *node, bool sc) {
    SeqCstView<Policy> &view = thread->seq_cst;
    u32 ordinal = 0;
    if (sc) {
      // The same again, with nothing in between: the two are neighbours in S.
      if (view.last_load == node->serial && view.last_version == version_ && view.fresh.empty() &&
          graph_.IsLast(*thread, view.last_ordinal))
        return 0;
      ordinal = graph_.AddAccess(thread, thread->epoch(),
                                 node->sources ? &node->sources->before : nullptr, nullptr);
      view.last_load = node->serial;
      view.last_version = version_;
      view.last_ordinal = ordinal;
    }
    if (node->sources)
      AwaitFences(*thread, node->sources->before);
    if (!GetSources(*thread, ordinal))
      return ordinal;
    Provide(node)->loads.Join(sources_);
    Precede(x, node);
    Settle();
    return ordinal;
  }

  // A store that is to follow `before`.
  u32 OrderStore(Thread *thread, History *x, Node *before, Node *node, bool sc) {
    Sources *sources = before->sources;
    u32 ordinal = 0;
    if (sc) {
      ordinal = graph_.AddAccess(thread, thread->NextEpoch(), sources ? &sources->before : nullptr,
                                 sources ? &sources->loads : nullptr);
    }
    if (sources) {
      AwaitFences(*thread, sources->before);
      AwaitFences(*thread, sources->loads);
    }
    const bool any = GetSources(*thread, ordinal);
    if (any)
      Precede(x, before);
    if (any || sources) {
      Sources *own = Provide(node);
      own->before.Join(sources_);
      if (sources) {
        own->before.Join(sources->before);
        own->before.Join(sources->loads);
      }
    }
    Settle();
    return ordinal;
  }

  // A seq_cst fence that the operation under way happens before comes after the sources. That
  // holds for a seq_cst operation, too, which need not come before such a fence itself: if the
  // fence acquires what the thread releases later, it does not happen before it strongly.
  void AwaitFences(const Thread &thread, const Ordinals<Policy> &sources) {
    if (!thread.seq_cst.fences.all.Covers(sources))
      graph_.Await(thread.slot(), thread.epoch(), sources);
  }

  bool GetSources(const Thread &thread, u32 ordinal) {
    graph_.GetSources(*view_, &sources_);
    if (ordinal)
      graph_.AddTo(&sources_, thread.slot(), ordinal);
    return sources_.size();
  }

  // The operation under way, with sources_, is coherence-ordered before whatever
  // concerns a store after `node`.
  void Precede(History *x, const Node *node) {
    if (node == x->stores.Back())
      return;
    // Who had these sources before has done it for them, and for all who came since.
    const Sources *next = x->At(node->position + 1)->sources;
    if (next && next->before.Covers(sources_))
      return;
    graph_.ClearSinks();
    for (u32 w = 0; w < x->writers.size(); w++) {
      const WriterRef &ref = x->writers[w];
      u32 n = History::UpToPosition(ref->accesses, node->position);
      if (n == ref->accesses.size())
        continue;
      graph_.AddFenceSinks(ref.slot, ref->accesses[n].epoch);
      graph_.Await(ref.slot, ref->accesses[n].epoch, sources_);
      n = History::UpToPosition(ref->seq_cst, node->position);
      if (n < ref->seq_cst.size())
        graph_.AddSink(ref.slot, ref->seq_cst[n].ordinal);
    }
    graph_.Order(sources_);
    for (u32 position = node->position + 1; position <= x->Last(); position++)
      Provide(x->At(position))->before.Join(sources_);
  }

  void Settle() {
    if (prune_)
      graph_.MaybeSettle(pruner_.threads);
  }

  //===-- Records ---------------------------------------------------------===//

  // The operation under way has read or written `node`.
  void Note(const Thread &thread, History *x, u32 epoch, Node *node, u32 ordinal) {
    if (x->stores.size() == 1)
      return; // there is nothing to forget
    x->last_slot = thread.slot();
    x->last_epoch = epoch;
    if (node != x->stores[0]) {
      if (own_ == x->writers.size())
        x->writers.PushBack(
            WriterRef{thread.slot(), epoch, epoch, nullptr, version_, writers_.New()});
      WriterRef *ref = &x->writers[own_];
      ref->version = version_;
      if (ref->last != node) {
        auto &accesses = ref->writer->accesses;
        if (!accesses.empty() && ref->last_epoch == epoch)
          accesses.PopBack();
        accesses.PushBack({epoch, node});
        ref->Update();
      }
      auto &seq_cst = ref->writer->seq_cst;
      if (ordinal && (seq_cst.empty() || seq_cst.Back().node != node))
        seq_cst.PushBack({ordinal, node});
    }
    if (pruner_.Count(x))
      Prune(x);
  }

  void Prune(History *x) {
    const u32 first = pruner_.First(*x, total_stores_), count = first - x->First();
    for (u32 i = 0; i < count; i++) {
      if (x->stores[i] == x->last_sc)
        x->last_sc = nullptr;
      FreeNode(x->stores[i]);
    }
    x->stores.PopFront(count);
    u32 kept = 0;
    for (u32 w = 0; w < x->writers.size(); w++) {
      if (History::DropUpTo(&x->writers[w], first))
        x->writers[kept++] = x->writers[w];
      else
        FreeWriter(x->writers[w].writer);
    }
    x->writers.Truncate(kept);
    x->last_epoch = 0;
    if (first > kMaxPosition)
      for (u32 i = 0; i < x->stores.size(); i++)
        x->stores[i]->position -= first;
    pruner_.Restart(x);
  }
  static constexpr u32 kMaxPosition = 1u << 31;

  void Release(History *x) {
    for (u32 i = 0; i < x->stores.size(); i++)
      FreeNode(x->stores[i]);
    for (u32 w = 0; w < x->writers.size(); w++)
      FreeWriter(x->writers[w].writer);
  }

  Node *NewNode(const Value &value, u32 slot, u32 epoch, Order order, bool rmw) {
    Node *node = nodes_.New();
    node->value = value;
    node->slot = slot;
    node->epoch = epoch;
    node->serial = ++serial_;
    node->sc = IsSeqCst(order);
    node->rmw = rmw;
    node->sources = nullptr;
    total_stores_++;
    return node;
  }
  void FreeNode(Node *node) {
    node->released.Clear();
    if (node->sources)
      sources_pool_.Free(node->sources);
    nodes_.Free(node);
    total_stores_--;
  }
  void FreeWriter(Writer *writer) {
    writer->accesses.Clear();
    writer->seq_cst.Clear();
    writers_.Free(writer);
  }
  Sources *Provide(Node *node) {
    if (!node->sources) {
      node->sources = sources_pool_.New();
      node->sources->before.Clear();
      node->sources->loads.Clear();
    }
    return node->sources;
  }

  MographPruner<Policy> pruner_;
  SeqCstGraph<Policy> graph_;
  SeqCstOrder<Policy> sc_; // C++11's rules
  VisibleToAll<Policy> visible_;
  const bool prune_;
  const bool cxx11_;
  const u32 prune_interval_;
  u64 total_stores_ = 0;
  u64 serial_ = 0; // of stores
  Pool<Node, Policy> nodes_;
  Pool<Sources, Policy> sources_pool_;
  Pool<Writer, Policy> writers_;

  // Of the operation under way.
  const SeqCstView<Policy> *view_ = nullptr; // null if there is no seq_cst to think of
  u32 own_ = 0;                              // the place of its thread, or where there is none
  u64 version_ = 0;                          // of its thread, when it began
  Queue<u32, Policy> options_;               // positions; kept for its memory
  Ordinals<Policy> sources_;                 // likewise
};

} // namespace __heddle

#endif // HEDDLE_MODEL_MOGRAPH_H
