//===-- mograph.h - The memory model with a modification-order graph ------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C11Tester's engine (Luo and Demsky, ASPLOS 2021, sections 3 to 6): the
// modification order of a location is a set of constraints, to which each
// operation adds what the standard implies. The executions are those of C++11
// with C++20's release sequences in which hb, sc and rf together are acyclic.
// They include executions that Arm shows and the buffer engine cannot, such as
// two threads each of whose first stores comes last (2+2W).
//
// Where each axiom is enforced:
//   CoWW, CoRW              Store: edges from the write prior set
//   CoWR, CoRR              Readable: edges from the read prior set (S4)
//   RMWs are immediate      blocks of ModificationOrder, RmwReadable
//   seq_cst reads, 29.3p3   SeqCstAllows
//   seq_cst fences, p4-p7   FindPrior: S1 (p5, p7), S2 (p4, p7), S3 (p6, p7)
//   mo agrees with sc       Store, Rmw: the last seq_cst store is prior
//   hb, sc, rf acyclic      the order of execution
//
// Departures from figures 10 and 11:
//   - The paper lists all seq_cst fences of each thread and searches them. All
//     that is asked of them is each thread's last one before the last one of the
//     thread at hand, which are the clocks of the thesis's figure 3.20: a fence
//     costs the same after a million others.
//   - Which stores may be read is not tried out one by one. A store X may be read
//     if it is before no store of the prior set, and for each thread that is a
//     single number (PriorSet::Cut).
//   - A seq_cst RMW must come after the last seq_cst store S. The paper adds that
//     edge to the RMW; being immediate, the store it reads must be S or after S.
//   - A location's initial value is a store like any other.
//   - What all threads have synchronised with is kept once for all (`base` in
//     mograph_prune.h).
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_MODEL_MOGRAPH_H
#define HEDDLE_MODEL_MOGRAPH_H

#include "heddle/model/mograph_prune.h"
#include "heddle/model/pool.h"
#include "heddle/model/thread.h"

namespace __heddle {

struct MographInspector; // looks into it, in tests

template <class Policy> class MographEngine {
  friend struct MographInspector;
  using ModOrder = ModificationOrder<Policy>;
  using Node = typename ModOrder::Node;
  using ReleasedClock = Released<Policy>;

  using History = MographHistory<Policy>;
  using Access = typename History::Access;
  using Floor = typename History::Floor;
  using Writer = typename History::Writer;
  using WriterRef = typename History::WriterRef;

public:
  using Value = typename Policy::Value;
  using Clock = typename Policy::Clock;
  using Thread = ModelThread<Policy>;

  explicit MographEngine(MographOptions options = MographOptions())
      : pruner_(options), prunes_(options.prune || options.window || options.max_stores),
        prune_interval_(options.prune_interval) {}
  MographEngine(const MographEngine &) = delete;
  MographEngine &operator=(const MographEngine &) = delete;

  class Location {
  public:
    Location(MographEngine *engine, Value initial) : engine_(engine) {
      history_.until_prune = engine->prune_interval_;
      // Happens before everything: no thread, and the epoch before all epochs.
      u32 writer = engine->Claim(&history_, History::kInitialSlot);
      Node *node = engine->NewNode(&history_, writer, initial, 0, Order::kRelaxed);
      engine->order_.AddStore(node);
      history_.newest = node;
      history_.base[history_.base_size++] = node;
    }
    ~Location() { engine_->Release(&history_); }
    Location(const Location &) = delete;
    Location &operator=(const Location &) = delete;

    // The number of stores that are remembered.
    u32 stores() const { return history_.store_count; }

    // Joins into `clock` all that loads could acquire.
    void JoinReleased(Clock *clock) const {
      for (u32 w = 0; w < history_.writers.size(); w++)
        for (u32 i = 0; i < history_.writers[w].stores(); i++)
          history_.writers[w]->stores[i]->released.JoinInto(clock);
    }
    // What those acquire who read the initial value.
    void SetInitiallyReleased(const Clock &clock) { history_.newest->released.SetJoined(clock); }

    // Calls `visit(value)` for each value that the location may have at the end:
    // that of any store that nothing need come after.
    template <class Visit> void FinalValues(Visit visit) const {
      for (u32 w = 0; w < history_.writers.size(); w++)
        for (u32 i = 0; i < history_.writers[w].stores(); i++) {
          const Node *node = history_.writers[w]->stores[i];
          if (!node->next && node->head->after.empty())
            visit(node->value);
        }
    }

  private:
    friend class MographEngine;
    friend struct MographInspector;

    MographEngine *engine_;
    History history_;
  };

  // Threads take part in pruning from here on, to the end given.
  void Begin(const Thread *thread) { pruner_.Begin(thread); }
  void End(const Thread *thread) { pruner_.End(thread); }
  void Await(const Thread *thread, const Thread *awaited) { pruner_.Await(thread, awaited); }

  // All clocks start anew, and there is no location left.
  void StartAnew() {
    pruner_.StartAnew();
    sc_ = SeqCstOrder<Policy>();
  }

  template <class Choices> Value Load(Thread *thread, Location *x, Order order, Choices &&choices) {
    History &history = Enter(*thread, x);
    FindPrior(*thread, history, IsSeqCst(order));
    u32 readable = Readable(history, IsSeqCst(order));
    return Read(thread, &history,
                Pick(history, IsSeqCst(order), readable > 1 ? choices.Read(readable, views_) : 0),
                order);
  }

  void Store(Thread *thread, Location *x, Value value, Order order) {
    History &history = Enter(*thread, x);
    FindWritePrior(*thread, history, order);
    Node *node = NewNode(&history, OwnPlace(*thread, &history), value, thread->epoch(), order);
    if (IsRelease(order))
      thread->Release(&node->released); // [RELEASE STORE]
    else
      node->released.Share(thread->release_fence()); // [RELAXED STORE]
    order_.AddStore(node);
    for (u32 i = 0; i < prior_.size(); i++)
      order_.Order(prior_[i], node);
    Stored(thread, &history, node, order);
  }

  template <class Function, class Choices>
  Value Rmw(Thread *thread, Location *x, Function function, Order order, Choices &&choices) {
    History &history = Enter(*thread, x);
    FindWritePrior(*thread, history, order);
    u32 readable = RmwReadable(history, IsSeqCst(order));
    Node *read = candidates_[readable > 1 ? choices.Read(readable, views_) : 0];
    Value old = read->value;
    Modify(thread, &history, read, function(old), order);
    return old;
  }

  // See BufferEngine::CompareExchange. A success may read any store that an RMW
  // may read, if it has the expected value; `expected` is that store's then.
  template <class Choices>
  bool CompareExchange(Thread *thread, Location *x, Value *expected, Value desired, Order order,
                       Order failure, bool weak, Choices &&choices) {
    History &history = Enter(*thread, x);
    FindPrior(*thread, history, IsSeqCst(failure));
    ListReadable(history, IsSeqCst(failure));
    const u32 expected_ones = CountCandidates(*expected);
    // What an RMW may read, a load may read that is not more ordered.
    if (IsSeqCst(order) >= IsSeqCst(failure) && !expected_ones) {
      NewestFirst(history);
      Node *node =
          candidates_[candidates_.size() > 1 ? choices.Read(candidates_.size(), views_) : 0];
      *expected = Read(thread, &history, node, failure);
      return false;
    }
    const bool must_succeed = !weak && expected_ones == candidates_.size();
    if (IsSeqCst(order) || IsSeqCst(failure)) // else they have the same prior set
      FindWritePrior(*thread, history, order);
    RmwReadable(history, IsSeqCst(order));
    // Nothing to choose: the usual case.
    if (must_succeed && candidates_.size() == 1 && candidates_[0]->value == *expected) {
      *expected = candidates_[0]->value;
      Modify(thread, &history, candidates_[0], desired, order);
      return true;
    }
    successes_.Clear();
    for (u32 i = 0; i < candidates_.size(); i++)
      if (candidates_[i]->value == *expected)
        successes_.PushBack(candidates_[i]);
    FindPrior(*thread, history, IsSeqCst(failure));
    ListReadable(history, IsSeqCst(failure));
    u32 failures = 0, views = 0;
    for (u32 i = 0; i < candidates_.size(); i++) {
      if (candidates_[i]->value == *expected && !weak)
        continue;
      views += i < views_.count;
      candidates_[failures++] = candidates_[i];
    }
    candidates_.Truncate(failures);
    CountViews(views);
    // A store that may be read in both ways is one option; the way is another.
    for (u32 i = 0; i < successes_.size(); i++)
      if (!Contains(candidates_, successes_[i]))
        candidates_.PushBack(successes_[i]);
    NewestFirst(history);
    u32 options = candidates_.size();
    u32 index = options > 1 ? choices.Read(options, views_) : 0;
    Node *node = candidates_[index];
    const bool may_succeed = Contains(successes_, node);
    const bool may_fail =
        node->value != *expected || (weak && FailureMayRead(*thread, history, failure, node));
    if (may_succeed && !(may_fail && choices.Spurious())) {
      FindWritePrior(*thread, history, order);
      *expected = node->value;
      Modify(thread, &history, node, desired, order);
      return true;
    }
    FindPrior(*thread, history, IsSeqCst(failure));
    *expected = Read(thread, &history, node, failure);
    return false;
  }

  void Fence(Thread *thread, Order order) {
    now_++;
    PerformFence(thread, &sc_, order);
  }

  u64 stores() const { return total_stores_; }

private:
  static constexpr u32 kNotFound = ~0u;

  // Begins an operation of `thread` on `x`.
  History &Enter(const Thread &thread, Location *x) {
    History &history = x->history_;
    now_++;
    if (pruner_.Settled(history))
      Prune(&history);
    own_ = history.Find(thread.slot());
    return history;
  }

  //===-- Prior sets ------------------------------------------------------===//

  // Figure 11: for each thread, the last of its accesses that must not be after
  // an operation of `thread` now, as the store it read or wrote. Fills prior_
  // with the last of them in modification order.
  //
  // Where the thread has learnt nothing since its last access, that is after all
  // the others already, and stands for them.
  void FindPrior(const Thread &thread, const History &x, bool sc) {
    prior_.Clear();
    version_ = thread.version();
    if (!sc && own_ < x.writers.size()) {
      const WriterRef &own = x.writers[own_];
      if (own.first_epoch != History::kNever && own.version == version_) {
        prior_.Add(own.last);
        return;
      }
    }
    for (u32 i = 0; i < x.base_size; i++)
      prior_.Add(x.base[i]);
    for (u32 w = 0; w < x.writers.size(); w++) {
      const WriterRef &ref = x.writers[w];
      if (ref.first_epoch == History::kNever)
        continue;
      u32 clock = thread.clock().Get(ref.slot);
      // S4: the access happens before the operation.
      if (ref.last_epoch <= clock) {
        prior_.Add(ref.last);
        continue;
      }
      // Seq_cst fences matter only for what does not happen before anyway.
      Node *last = FencePrior(thread, ref, sc, clock);
      if (!last && ref.first_epoch <= clock)
        last = ref->accesses[History::UpTo(ref->accesses, clock) - 1].node;
      if (last)
        prior_.Add(last);
    }
  }

  // The last of a writer's stores that is prior by seq_cst fences, and does not
  // happen before the operation.
  Node *FencePrior(const Thread &thread, const WriterRef &ref, bool sc, u32 clock) const {
    // S3: a store, a seq_cst fence, a seq_cst fence of this thread.
    // S1: a store, a seq_cst fence, and the operation is seq_cst itself.
    u32 fence = thread.has_sc_fence ? thread.sc_fences.Get(ref.slot) : 0;
    if (sc && sc_.fences.Get(ref.slot) > fence)
      fence = sc_.fences.Get(ref.slot);
    u32 write = thread.has_sc_fence ? thread.sc_writes.Get(ref.slot) : 0;
    if (fence <= clock && write <= clock)
      return nullptr;
    const Writer &writer = *ref;
    Floor last{};
    auto consider = [&](const Floor &store) {
      if (!last.node || store.time > last.time)
        last = store;
    };
    if (fence > clock) {
      if (u32 n = History::UpTo(writer.stores, fence))
        consider(History::FloorOf(writer.stores[n - 1]));
      else if (writer.floor.node && writer.floor.epoch <= fence)
        consider(writer.floor);
    }
    // S2: a seq_cst store, and a seq_cst fence of this thread.
    if (write > clock) {
      u32 n = History::UpTo(writer.stores, write);
      while (n > 0 && !writer.stores[n - 1]->sc)
        n--;
      if (n)
        consider(History::FloorOf(writer.stores[n - 1]));
      else if (writer.sc_floor.node && writer.sc_floor.epoch <= write)
        consider(writer.sc_floor);
    }
    return last.epoch > clock ? last.node : nullptr;
  }

  // A seq_cst store comes after the last one (mo agrees with sc).
  void FindWritePrior(const Thread &thread, const History &x, Order order) {
    FindPrior(thread, x, IsSeqCst(order));
    Node *last = x.last_sc ? x.last_sc : x.sc_floor;
    if (IsSeqCst(order) && last)
      prior_.Add(last);
  }

  template <class T> static bool Contains(const Queue<T, Policy> &queue, T element) {
    for (u32 i = 0; i < queue.size(); i++)
      if (queue[i] == element)
        return true;
    return false;
  }

  //===-- May-read-from ---------------------------------------------------===//
  //
  // A store may be read if it is before none of prior_.

  // 29.3p3: a seq_cst load reads the last seq_cst store S, or a store that is not
  // seq_cst and does not happen before S. S's released clock is its thread's.
  static bool SeqCstAllows(const History &x, const Node *node) {
    if (!x.last_sc || node == x.last_sc)
      return true;
    return !node->sc && node->epoch && node->epoch > x.last_sc->released.Get(node->slot);
  }

  // The number of stores that a load with this prior_ may read. Pick(i) gives
  // the i-th; the newest is the 0th, if it is one of them.
  u32 Readable(const History &x, bool sc) {
    if (sc) {
      ListReadable(x, sc);
      NewestFirst(x);
      return candidates_.size();
    }
    prior_.MakeCut();
    u32 count = prior_.size();
    newest_index_ = kNotFound;
    for (u32 i = 0; i < prior_.size(); i++)
      if (prior_[i] == x.newest)
        newest_index_ = i;
    for (u32 w = 0; w < x.writers.size(); w++) {
      u32 above = x.writers[w].CountAbove(prior_.Cut(w));
      count += above;
      if (above && x.newest && x.newest->thread == w)
        newest_index_ = count - 1;
    }
    views_ = {prior_.size(), newest_index_ != kNotFound ? newest_index_ : 0};
    return count;
  }

  Node *Pick(const History &x, bool sc, u32 index) {
    if (sc)
      return candidates_[index];
    // The newest changes places with the first.
    if (newest_index_ != kNotFound)
      index = index == 0 ? newest_index_ : index == newest_index_ ? 0 : index;
    if (index < prior_.size())
      return prior_[index];
    index -= prior_.size();
    for (u32 w = 0;; w++) {
      const WriterRef &ref = x.writers[w];
      u32 cut = prior_.Cut(w), above = ref.CountAbove(cut);
      if (index < above)
        return ref.Store(ref.FirstAbove(cut) + index);
      index -= above;
    }
  }

  // Fills candidates_ with the stores that a load with this prior_ may read.
  void ListReadable(const History &x, bool sc) {
    candidates_.Clear();
    prior_.MakeCut();
    auto add = [&](Node *node) {
      if (!sc || SeqCstAllows(x, node))
        candidates_.PushBack(node);
    };
    for (u32 i = 0; i < prior_.size(); i++)
      add(prior_[i]);
    CountViews(candidates_.size());
    for (u32 w = 0; w < x.writers.size(); w++) {
      const WriterRef &ref = x.writers[w];
      u32 cut = prior_.Cut(w);
      if (!ref.CountAbove(cut))
        continue;
      for (u32 ordinal = ref.FirstAbove(cut); ordinal <= ref.last_ordinal; ordinal++)
        add(ref.Store(ordinal));
    }
  }

  // The first of candidates_ are views of the thread; some option must be one.
  void CountViews(u32 count) { views_ = {count ? count : 1, 0}; }

  // Likewise for an RMW: another RMW must not have read the store. prior_ holds
  // what must be before the RMW, and so before the store it reads, or be it.
  u32 RmwReadable(const History &x, bool sc) {
    ListReadable(x, sc);
    u32 count = 0, views = 0;
    for (u32 i = 0; i < candidates_.size(); i++) {
      if (candidates_[i]->next)
        continue;
      views += i < views_.count;
      candidates_[count++] = candidates_[i];
    }
    candidates_.Truncate(count);
    CountViews(views);
    NewestFirst(x);
    return count;
  }

  u32 CountCandidates(const Value &value) const {
    u32 count = 0;
    for (u32 i = 0; i < candidates_.size(); i++)
      count += candidates_[i]->value == value;
    return count;
  }

  bool FailureMayRead(const Thread &thread, const History &x, Order failure, Node *node) {
    FindPrior(thread, x, IsSeqCst(failure));
    ListReadable(x, IsSeqCst(failure));
    return Contains(candidates_, node);
  }

  void NewestFirst(const History &x) {
    views_.swapped = 0;
    for (u32 i = 1; i < candidates_.size(); i++) {
      if (candidates_[i] == x.newest) {
        candidates_[i] = candidates_[0];
        candidates_[0] = x.newest;
        views_.swapped = i;
        return;
      }
    }
  }

  //===-- Effects ---------------------------------------------------------===//

  // A load of `thread` with this prior_ reads `node`.
  Value Read(Thread *thread, History *x, Node *node, Order order) {
    for (u32 i = 0; i < prior_.size(); i++)
      if (prior_[i] != node)
        order_.Order(prior_[i], node);
    thread->ReadFrom(node->released, IsAcquire(order));
    Value value = node->value;
    Note(*thread, x, node);
    return value;
  }

  // An RMW of `thread` with this prior_ reads `read`.
  void Modify(Thread *thread, History *x, Node *read, Value value, Order order) {
    for (u32 i = 0; i < prior_.size(); i++)
      if (prior_[i] != read)
        order_.Order(prior_[i], read);
    thread->ReadFrom(read->released, IsAcquire(order));
    Node *node = NewNode(x, OwnPlace(*thread, x), value, thread->epoch(), order);
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
    order_.AddRmw(read, node);
    Stored(thread, x, node, order);
  }

  void Stored(Thread *thread, History *x, Node *node, Order order) {
    x->newest = node;
    if (IsSeqCst(order)) {
      x->last_sc = node;
      sc_.Write(*thread);
    }
    u32 epoch = thread->epoch();
    if (IsRelease(order))
      thread->EndEpoch();
    NoteAt(x, own_, epoch, node);
  }

  // The thread has read `node`.
  void Note(const Thread &thread, History *x, Node *node) {
    for (u32 i = 0; i < x->base_size; i++) {
      if (x->base[i] != node)
        continue;
      // Base stands for this access, and for the thread's earlier ones, which
      // concern the same store or such as are before it.
      if (own_ < x->writers.size() && x->writers[own_].first_epoch != History::kNever) {
        x->writers[own_]->accesses.Clear();
        x->writers[own_].first_epoch = History::kNever;
      }
      return;
    }
    NoteAt(x, OwnPlace(thread, x), thread.epoch(), node);
  }
  void NoteAt(History *x, u32 place, u32 epoch, Node *node) {
    WriterRef *ref = &x->writers[place];
    auto &accesses = ref->writer->accesses;
    ref->version = version_;
    if (accesses.empty()) {
      ref->first_epoch = epoch;
    } else if (ref->last == node) {
      return;
    } else if (ref->last_epoch == epoch) {
      accesses.PopBack();
    }
    accesses.PushBack({epoch, node});
    ref->last_epoch = x->last_epoch = epoch;
    x->last_slot = ref->slot;
    ref->last = node;
    if (prunes_ && --x->until_prune == 0)
      Prune(x);
  }

  void Prune(History *x) {
    pruner_.Prune(x, total_stores_);
    FreeDoomed(x);
  }

  //===-- Records ---------------------------------------------------------===//

  // Frees the stores that the pruner has taken out, the blocks of which nothing
  // is left, and the writers.
  void FreeDoomed(History *x) {
    for (u32 i = 0; i < pruner_.doomed.size(); i++) {
      Node *node = pruner_.doomed[i];
      node->released.Clear();
      if (node->head != node)
        nodes_.Free(node);
    }
    for (u32 i = 0; i < pruner_.dead_heads.size(); i++)
      nodes_.Free(pruner_.dead_heads[i]);
    for (u32 i = 0; i < pruner_.idle.size(); i++)
      FreeWriter(pruner_.idle[i]);
    x->store_count -= pruner_.doomed.size();
    total_stores_ -= pruner_.doomed.size();
    pruner_.doomed.Clear();
    pruner_.dead_heads.Clear();
    pruner_.idle.Clear();
  }

  void FreeWriter(Writer *writer) {
    writer->stores.Clear();
    writer->accesses.Clear();
    writers_.Free(writer);
  }

  // The place of the thread whose operation is under way.
  u32 OwnPlace(const Thread &thread, History *x) {
    if (own_ == x->writers.size())
      own_ = Claim(x, thread.slot());
    return own_;
  }

  // A place for the thread in `slot`, which has none.
  u32 Claim(History *x, u32 slot) {
    Writer *writer = writers_.New();
    writer->floor = writer->sc_floor = Floor{};
    u32 place = x->Find(History::kNobody);
    if (place == x->writers.size())
      x->writers.PushBack(WriterRef(x->last_ordinal));
    x->writers[place].slot = slot;
    x->writers[place].writer = writer;
    return place;
  }

  void Release(History *x) {
    for (u32 w = 0; w < x->writers.size(); w++) {
      for (u32 i = 0; i < x->writers[w].stores(); i++)
        pruner_.Doom(x->writers[w]->stores[i]);
      if (x->writers[w].writer)
        FreeWriter(x->writers[w].writer);
    }
    pruner_.TrimBlocks();
    FreeDoomed(x);
  }

  Node *NewNode(History *x, u32 place, Value value, u32 epoch, Order order) {
    Node *node = nodes_.New();
    WriterRef &ref = x->writers[place];
    node->value = value;
    node->slot = ref.slot;
    node->epoch = epoch;
    node->thread = place;
    node->ordinal = ++ref.last_ordinal;
    node->time = now_;
    node->serial = ++x->serial;
    node->sc = IsSeqCst(order);
    node->removed = false;
    ref->stores.PushBack(node);
    x->store_count++;
    total_stores_++;
    return node;
  }

  MographPruner<Policy> pruner_;
  const bool prunes_;
  const u32 prune_interval_;
  SeqCstOrder<Policy> sc_;
  ModOrder order_;
  u64 now_ = 0;
  u64 total_stores_ = 0;
  Pool<Node, Policy> nodes_;
  Pool<Writer, Policy> writers_;

  // Of the operation under way, kept for their memory.
  PriorSet<Policy> prior_;
  Queue<Node *, Policy> candidates_, successes_;
  u32 own_ = 0;     // the place of its thread, or where there is none
  u64 version_ = 0; // of its thread, when prior_ was filled
  u32 newest_index_ = 0;
  Views views_ = {};
};

} // namespace __heddle

#endif // HEDDLE_MODEL_MOGRAPH_H
