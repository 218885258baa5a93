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
//   RMWs are immediate      ModificationOrder::Block, RmwReadable
//   seq_cst reads, 29.3p3   SeqCstAllows
//   seq_cst fences, p4-p7   PriorSet: S1 (p5, p7), S2 (p4, p7), S3 (p6, p7)
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
//     single number, its last store that is before one of them (`cut`).
//   - A seq_cst RMW must come after the last seq_cst store S. The paper adds that
//     edge to the RMW; being immediate, the store it reads must be S or after S.
//   - A location's initial value is a store like any other.
//
// Pruning (section 6.1) takes out stores that are before a store S. Conservative:
// S happens before what all threads do next, so nothing before S can be read
// again. Aggressive: S is older than a window of the location's last stores. What
// is before S need not be remembered for the sake of other stores either: a
// constraint through it is a constraint through S.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_MODEL_MOGRAPH_H
#define HEDDLE_MODEL_MOGRAPH_H

#include "heddle/model/modification_order.h"
#include "heddle/model/thread.h"

namespace __heddle {

struct MographOptions {
  bool prune = true;       // conservatively
  u32 window = 0;          // and aggressively: stores a location keeps at least; 0: off
  u64 max_stores = 0;      // above this many in all, the window shrinks; 0: no limit
  u32 prune_interval = 32; // stores to a location between two attempts
};

struct MographInspector; // looks into it, in tests

template <class Policy> class MographEngine {
  friend struct MographInspector;
  using ModOrder = ModificationOrder<Policy>;
  using Node = typename ModOrder::Node;
  using ReleasedClock = Released<Policy>;

  // A load or store by a thread, and the store that it read or wrote.
  struct Access {
    u32 epoch;
    u64 time;
    Node *node;
  };

  // What a thread has done to a location.
  struct Writer {
    u32 slot;
    u32 number;       // at the location
    u32 last_ordinal; // of its stores
    Queue<Node *, Policy> stores;
    // Its loads and stores, but of those in a row that concern the same store
    // the first, and of those of one epoch the last.
    Queue<Access, Policy> accesses;
    u64 version = 0; // of the thread, when it came to the last of them
    // Its last store, and its last seq_cst store, that were pruned, with what is
    // left of their blocks.
    Access floor{}, sc_floor{};
  };

  // With what decides whether to look at it at all.
  struct WriterRef {
    u32 slot;
    u32 first_epoch; // of its accesses
    Writer *writer;

    Writer *operator->() const { return writer; }
    Writer &operator*() const { return *writer; }
  };

public:
  using Value = typename Policy::Value;
  using Clock = typename Policy::Clock;
  using Thread = ModelThread<Policy>;

  explicit MographEngine(MographOptions options = MographOptions()) : options_(options) {}
  ~MographEngine() {
    while (Node *node = free_nodes_) {
      free_nodes_ = node->next;
      Policy::Free(node);
    }
    cut_.Free();
  }
  MographEngine(const MographEngine &) = delete;
  MographEngine &operator=(const MographEngine &) = delete;

  class Location {
  public:
    Location(MographEngine *engine, Value initial) : engine_(engine) {
      // Happens before everything: no thread, and the epoch before all epochs.
      Writer &writer = engine->WriterOf(this, kNoSlot);
      newest_ = engine->NewNode(this, &writer, initial, kNoSlot, 0, Order::kRelaxed);
      engine->order_.AddStore(newest_);
      writer.stores.PushBack(newest_);
      writer.accesses.PushBack({0, newest_->time, newest_});
    }
    ~Location() { engine_->Release(this); }
    Location(const Location &) = delete;
    Location &operator=(const Location &) = delete;

    // The number of stores that are remembered.
    u32 stores() const { return store_count_; }

    // Calls `visit(value)` for each value that the location may have at the end:
    // that of any store that nothing need come after.
    template <class Visit> void FinalValues(Visit visit) const {
      for (u32 w = 0; w < writers_.size(); w++)
        for (u32 i = 0; i < writers_[w]->stores.size(); i++) {
          const Node *node = writers_[w]->stores[i];
          if (!node->next && node->block->after.empty())
            visit(node->value);
        }
    }

  private:
    friend class MographEngine;
    friend struct MographInspector;

    MographEngine *engine_;
    Queue<WriterRef, Policy> writers_;
    Node *newest_ = nullptr;   // in the order of execution
    Node *last_sc_ = nullptr;  // the last seq_cst store
    Node *sc_floor_ = nullptr; // what is left of its block, if it was pruned
    u64 serial_ = 0;           // stores so far
    u32 store_count_ = 0;
    u32 since_prune_ = 0;
  };

  // Threads take part in pruning from here on, to the end given.
  void Begin(const Thread *thread) { threads_.PushBack(thread); }
  void End(const Thread *thread) {
    for (u32 i = 0; i < threads_.size(); i++) {
      if (threads_[i] == thread) {
        threads_[i] = threads_.Back();
        threads_.PopBack();
        return;
      }
    }
  }

  template <class Choices> Value Load(Thread *thread, Location *x, Order order, Choices &&choices) {
    now_++;
    PriorSet(*thread, *x, IsSeqCst(order));
    u32 readable = Readable(*x, IsSeqCst(order));
    Node *node = Pick(*x, IsSeqCst(order), readable > 1 ? choices.Read(readable) : 0);
    Read(thread, x, node, order);
    return node->value;
  }

  void Store(Thread *thread, Location *x, Value value, Order order) {
    now_++;
    WritePriorSet(*thread, *x, order);
    Writer &writer = WriterOf(x, thread->slot());
    Node *node = NewNode(x, &writer, value, thread->slot(), thread->epoch(), order);
    if (IsRelease(order))
      thread->Release(&node->released); // [RELEASE STORE]
    else
      node->released.Share(thread->release_fence()); // [RELAXED STORE]
    order_.AddStore(node);
    for (u32 i = 0; i < prior_.size(); i++)
      order_.Order(prior_[i], node);
    Stored(thread, x, &writer, node, order);
  }

  template <class Function, class Choices>
  Value Rmw(Thread *thread, Location *x, Function function, Order order, Choices &&choices) {
    now_++;
    WritePriorSet(*thread, *x, order);
    u32 readable = RmwReadable(*x, IsSeqCst(order));
    Node *read = candidates_[readable > 1 ? choices.Read(readable) : 0];
    Value old = read->value;
    Modify(thread, x, read, function(old), order);
    return old;
  }

  // See BufferEngine::CompareExchange. A success may read any store that an RMW
  // may read, if it has the expected value.
  template <class Choices>
  bool CompareExchange(Thread *thread, Location *x, Value *expected, Value desired, Order order,
                       Order failure, bool weak, Choices &&choices) {
    now_++;
    PriorSet(*thread, *x, IsSeqCst(failure));
    ListReadable(*x, IsSeqCst(failure));
    // What an RMW may read, a load may read that is not more ordered.
    const bool nowhere = IsSeqCst(order) >= IsSeqCst(failure) && !AnyCandidateIs(*expected);
    if (nowhere) {
      NewestFirst(*x);
      Node *node = candidates_[candidates_.size() > 1 ? choices.Read(candidates_.size()) : 0];
      Read(thread, x, node, failure);
      *expected = node->value;
      return false;
    }
    WritePriorSet(*thread, *x, order);
    RmwReadable(*x, IsSeqCst(order));
    successes_.Clear();
    for (u32 i = 0; i < candidates_.size(); i++)
      if (candidates_[i]->value == *expected)
        successes_.PushBack(candidates_[i]);
    PriorSet(*thread, *x, IsSeqCst(failure));
    ListReadable(*x, IsSeqCst(failure));
    u32 failures = 0;
    for (u32 i = 0; i < candidates_.size(); i++)
      if (candidates_[i]->value != *expected || weak)
        candidates_[failures++] = candidates_[i];
    candidates_.Truncate(failures);
    // A store that may be read in both ways is one option; the way is another.
    for (u32 i = 0; i < successes_.size(); i++)
      if (!Contains(candidates_, successes_[i]))
        candidates_.PushBack(successes_[i]);
    NewestFirst(*x);
    u32 options = candidates_.size();
    u32 index = options > 1 ? choices.Read(options) : 0;
    Node *node = candidates_[index];
    const bool may_succeed = Contains(successes_, node);
    const bool may_fail =
        node->value != *expected || (weak && FailureMayRead(*thread, *x, failure, node));
    if (may_succeed && !(may_fail && choices.Spurious())) {
      WritePriorSet(*thread, *x, order);
      Modify(thread, x, node, desired, order);
      return true;
    }
    PriorSet(*thread, *x, IsSeqCst(failure));
    Read(thread, x, node, failure);
    *expected = node->value;
    return false;
  }

  void Fence(Thread *thread, Order order) {
    now_++;
    PerformFence(thread, &sc_, order);
  }

  u64 stores() const { return total_stores_; }

private:
  static constexpr u32 kNoSlot = ~0u;
  static constexpr u32 kNotFound = ~0u;

  //===-- Prior sets ------------------------------------------------------===//

  // Figure 11: for each thread, the last of its accesses that must not be after
  // an operation of `thread` now, as the store it read or wrote. Fills prior_
  // with the last of them in modification order.
  //
  // Where the thread has learnt nothing since its last access, that is after all
  // the others already, and stands for them.
  void PriorSet(const Thread &thread, const Location &x, bool sc) {
    prior_.Clear();
    version_ = thread.version();
    const Writer *own = sc ? nullptr : FindWriter(x, thread.slot());
    if (own && own->version == version_ && !own->accesses.empty()) {
      prior_.PushBack(own->accesses.Back().node);
      return;
    }
    for (u32 w = 0; w < x.writers_.size(); w++) {
      const WriterRef &ref = x.writers_[w];
      u32 clock = ref.slot == kNoSlot ? 0 : thread.clock().Get(ref.slot);
      if (clock < ref.first_epoch && !sc && !thread.has_sc_fence)
        continue;
      // S4: the access happens before the operation.
      const Writer &writer = *ref;
      u32 known = UpTo(writer.accesses, clock);
      Access last = known ? writer.accesses[known - 1] : Access{};
      // Seq_cst fences matter only for what does not happen before anyway.
      if (known < writer.accesses.size() && (thread.has_sc_fence || sc))
        ConsiderFences(thread, writer, sc, clock, &last);
      if (last.node)
        AddPrior(last.node);
    }
  }

  // What is before a member of prior_ need not be one: its constraints follow.
  void AddPrior(Node *node) {
    u32 kept = 0;
    for (u32 i = 0; i < prior_.size(); i++) {
      Node *other = prior_[i];
      if (other == node || ModOrder::Before(node, other))
        return; // then none has been dropped: `node` is after no other
      if (!ModOrder::Before(other, node))
        prior_[kept++] = other;
    }
    prior_.Truncate(kept);
    prior_.PushBack(node);
  }

  void ConsiderFences(const Thread &thread, const Writer &writer, bool sc, u32 clock,
                      Access *last) const {
    auto consider = [&](const Access &access) {
      if (!last->node || access.time > last->time)
        *last = access;
    };
    // S3: a store, a seq_cst fence, a seq_cst fence of this thread.
    // S1: a store, a seq_cst fence, and the operation is seq_cst itself.
    u32 fence = thread.has_sc_fence ? thread.sc_fences.Get(writer.slot) : 0;
    if (sc && sc_.fences.Get(writer.slot) > fence)
      fence = sc_.fences.Get(writer.slot);
    if (fence > clock) {
      if (u32 n = UpTo(writer.stores, fence))
        consider(AccessOf(writer.stores[n - 1]));
      else if (writer.floor.node && writer.floor.epoch <= fence)
        consider(writer.floor);
    }
    // S2: a seq_cst store, and a seq_cst fence of this thread.
    u32 write = thread.has_sc_fence ? thread.sc_writes.Get(writer.slot) : 0;
    if (write > clock) {
      u32 n = UpTo(writer.stores, write);
      while (n > 0 && !writer.stores[n - 1]->sc)
        n--;
      if (n)
        consider(AccessOf(writer.stores[n - 1]));
      else if (writer.sc_floor.node && writer.sc_floor.epoch <= write)
        consider(writer.sc_floor);
    }
  }

  static Access AccessOf(Node *node) { return {node->epoch, node->time, node}; }

  // A seq_cst store comes after the last one (mo agrees with sc).
  void WritePriorSet(const Thread &thread, const Location &x, Order order) {
    PriorSet(thread, x, IsSeqCst(order));
    Node *last = x.last_sc_ ? x.last_sc_ : x.sc_floor_;
    if (IsSeqCst(order) && last)
      AddPrior(last);
  }

  static u32 EpochOf(const Access &access) { return access.epoch; }
  static u32 EpochOf(const Node *node) { return node->epoch; }

  // How many of the elements, which are in the order of their epochs, are of an
  // epoch up to `bound`.
  template <class T> static u32 UpTo(const Queue<T, Policy> &queue, u32 bound) {
    u32 low = 0, high = queue.size();
    if (!high || EpochOf(queue[high - 1]) <= bound)
      return high;
    while (low < high) {
      u32 middle = (low + high) / 2;
      if (EpochOf(queue[middle]) <= bound)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  template <class T> static bool Contains(const Queue<T, Policy> &queue, T element) {
    for (u32 i = 0; i < queue.size(); i++)
      if (queue[i] == element)
        return true;
    return false;
  }

  //===-- May-read-from ---------------------------------------------------===//

  // A store may be read if it is before none of prior_. Fills cut_: a store
  // whose ordinal is above its thread's cut is before none of them. All others
  // are, but for the members of prior_ themselves.
  void Cut() {
    cut_.Clear();
    for (u32 i = 0; i < prior_.size(); i++)
      ModOrder::JoinPast(prior_[i], &cut_);
  }

  // The first of a writer's stores above the cut.
  u32 FirstAbove(const Writer &writer) const {
    if (writer.stores.empty())
      return 0;
    u32 cut = cut_.Get(writer.number), first = writer.stores[0]->ordinal;
    u32 skip = cut >= first ? cut - first + 1 : 0;
    return skip < writer.stores.size() ? skip : writer.stores.size();
  }

  // 29.3p3: a seq_cst load reads the last seq_cst store S, or a store that is not
  // seq_cst and does not happen before S. S's released clock is its thread's.
  static bool SeqCstAllows(const Location &x, const Node *node) {
    if (!x.last_sc_ || node == x.last_sc_)
      return true;
    return !node->sc && node->epoch && node->epoch > x.last_sc_->released.Get(node->slot);
  }

  // The number of stores that a load with this prior_ may read. Pick(i) gives
  // the i-th; the newest is the 0th, if it is one of them.
  u32 Readable(const Location &x, bool sc) {
    if (sc) {
      ListReadable(x, sc);
      NewestFirst(x);
      return candidates_.size();
    }
    Cut();
    u32 count = prior_.size();
    newest_index_ = kNotFound;
    for (u32 i = 0; i < prior_.size(); i++)
      if (prior_[i] == x.newest_)
        newest_index_ = i;
    for (u32 w = 0; w < x.writers_.size(); w++) {
      const Writer &writer = *x.writers_[w];
      u32 above = writer.stores.size() - FirstAbove(writer);
      count += above;
      if (above && writer.stores.Back() == x.newest_)
        newest_index_ = count - 1;
    }
    return count;
  }

  Node *Pick(const Location &x, bool sc, u32 index) {
    if (sc)
      return candidates_[index];
    // The newest changes places with the first.
    if (newest_index_ != kNotFound)
      index = index == 0 ? newest_index_ : index == newest_index_ ? 0 : index;
    if (index < prior_.size())
      return prior_[index];
    index -= prior_.size();
    for (u32 w = 0;; w++) {
      const Writer &writer = *x.writers_[w];
      u32 first = FirstAbove(writer), above = writer.stores.size() - first;
      if (index < above)
        return writer.stores[first + index];
      index -= above;
    }
  }

  // Fills candidates_ with the stores that a load with this prior_ may read.
  void ListReadable(const Location &x, bool sc) {
    candidates_.Clear();
    Cut();
    auto add = [&](Node *node) {
      if (!sc || SeqCstAllows(x, node))
        candidates_.PushBack(node);
    };
    for (u32 i = 0; i < prior_.size(); i++)
      add(prior_[i]);
    for (u32 w = 0; w < x.writers_.size(); w++) {
      const Writer &writer = *x.writers_[w];
      for (u32 i = FirstAbove(writer); i < writer.stores.size(); i++)
        add(writer.stores[i]);
    }
  }

  // Likewise for an RMW: another RMW must not have read the store. prior_ holds
  // what must be before the RMW, and so before the store it reads, or be it.
  u32 RmwReadable(const Location &x, bool sc) {
    ListReadable(x, sc);
    u32 count = 0;
    for (u32 i = 0; i < candidates_.size(); i++)
      if (!candidates_[i]->next)
        candidates_[count++] = candidates_[i];
    candidates_.Truncate(count);
    NewestFirst(x);
    return count;
  }

  bool AnyCandidateIs(const Value &value) const {
    for (u32 i = 0; i < candidates_.size(); i++)
      if (candidates_[i]->value == value)
        return true;
    return false;
  }

  bool FailureMayRead(const Thread &thread, const Location &x, Order failure, Node *node) {
    PriorSet(thread, x, IsSeqCst(failure));
    ListReadable(x, IsSeqCst(failure));
    return Contains(candidates_, node);
  }

  void NewestFirst(const Location &x) {
    for (u32 i = 1; i < candidates_.size(); i++) {
      if (candidates_[i] == x.newest_) {
        candidates_[i] = candidates_[0];
        candidates_[0] = x.newest_;
        return;
      }
    }
  }

  //===-- Effects ---------------------------------------------------------===//

  // A load of `thread` with this prior_ reads `node`.
  void Read(Thread *thread, Location *x, Node *node, Order order) {
    for (u32 i = 0; i < prior_.size(); i++)
      if (prior_[i] != node)
        order_.Order(prior_[i], node);
    Note(&WriterOf(x, thread->slot()), thread->epoch(), node);
    thread->ReadFrom(node->released, IsAcquire(order));
  }

  // An RMW of `thread` with this prior_ reads `read`.
  void Modify(Thread *thread, Location *x, Node *read, Value value, Order order) {
    for (u32 i = 0; i < prior_.size(); i++)
      if (prior_[i] != read)
        order_.Order(prior_[i], read);
    thread->ReadFrom(read->released, IsAcquire(order));
    Writer &writer = WriterOf(x, thread->slot());
    Node *node = NewNode(x, &writer, value, thread->slot(), thread->epoch(), order);
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
    Stored(thread, x, &writer, node, order);
  }

  void Stored(Thread *thread, Location *x, Writer *writer, Node *node, Order order) {
    writer->stores.PushBack(node);
    Note(writer, thread->epoch(), node);
    x->newest_ = node;
    if (IsSeqCst(order)) {
      x->last_sc_ = node;
      sc_.Write(*thread);
    }
    if (IsRelease(order))
      thread->EndEpoch();
    if (++x->since_prune_ >= options_.prune_interval)
      Prune(x);
  }

  void Note(Writer *writer, u32 epoch, Node *node) {
    writer->version = version_;
    if (!writer->accesses.empty()) {
      Access &last = writer->accesses.Back();
      if (last.node == node)
        return;
      if (last.epoch == epoch) {
        last = {epoch, now_, node};
        return;
      }
    }
    writer->accesses.PushBack({epoch, now_, node});
  }

  //===-- Pruning ---------------------------------------------------------===//

  void Prune(Location *x) {
    x->since_prune_ = 0;
    u32 window = options_.window;
    if (options_.max_stores && total_stores_ > options_.max_stores)
      window = 1; // a store per thread, and what is not before one of them
    if (!options_.prune && !window)
      return;
    prior_.Clear();
    for (u32 w = 0; w < x->writers_.size(); w++) {
      const Writer &writer = *x->writers_[w];
      u32 keep = options_.prune ? UpTo(writer.stores, MinimumEpoch(writer)) : 0;
      if (window && x->store_count_ > window) {
        u32 outside = Outside(*x, writer, window);
        keep = outside > keep ? outside : keep;
      }
      if (keep)
        AddPrior(writer.stores[keep - 1]);
    }
    Cut();
    for (u32 w = 0; w < x->writers_.size(); w++) {
      Writer &writer = *x->writers_[w];
      u32 remove = FirstAbove(writer);
      for (u32 i = 0; i < prior_.size(); i++)
        if (prior_[i]->thread == writer.number) {
          u32 at = prior_[i]->ordinal - writer.stores[0]->ordinal;
          remove = at < remove ? at : remove;
        }
      for (u32 i = 0; i < remove; i++) {
        Node *node = writer.stores[i];
        writer.floor = AccessOf(node);
        if (node->sc)
          writer.sc_floor = AccessOf(node);
        Doom(node);
      }
      writer.stores.PopFront(remove);
    }
    if (doomed_.empty())
      return;
    TrimBlocks();
    for (u32 w = 0; w < x->writers_.size(); w++) {
      WriterRef &ref = x->writers_[w];
      Redirect(ref.writer);
      ref.first_epoch = ref->accesses.empty() ? 0 : ref->accesses[0].epoch;
    }
    if (x->last_sc_ && x->last_sc_->removed) {
      x->sc_floor_ = x->last_sc_;
      x->last_sc_ = nullptr;
    }
    x->sc_floor_ = ModOrder::Survivor(x->sc_floor_);
    if (x->newest_ && x->newest_->removed)
      x->newest_ = nullptr;
    FreeDoomed(x);
  }

  // What a writer has accessed may be pruned while later RMWs of the same block
  // are not. Nothing may come between the two, so they stand for it.
  void Redirect(Writer *writer) {
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

  // The epoch of the writer that all threads have synchronised with.
  u32 MinimumEpoch(const Writer &writer) const {
    if (writer.slot == kNoSlot)
      return 0;
    u32 minimum = ~0u;
    for (u32 i = 0; i < threads_.size(); i++) {
      u32 epoch = threads_[i]->clock().Get(writer.slot);
      minimum = epoch < minimum ? epoch : minimum;
    }
    return minimum;
  }

  // How many of a writer's stores are not among the last `window` of the location.
  static u32 Outside(const Location &x, const Writer &writer, u32 window) {
    u32 low = 0, high = writer.stores.size();
    while (low < high) {
      u32 middle = (low + high) / 2;
      if (writer.stores[middle]->serial + window <= x.serial_)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  void TrimBlocks() {
    for (u32 i = 0; i < doomed_.size(); i++)
      if (ModOrder::Trim(doomed_[i]->block))
        dead_blocks_.PushBack(doomed_[i]->block);
  }

  // Frees the stores in doomed_, and the blocks of which nothing is left.
  void FreeDoomed(Location *x) {
    for (u32 i = 0; i < doomed_.size(); i++) {
      Node *node = doomed_[i];
      node->released.Clear();
      node->chain.Free();
      node->next = free_nodes_;
      free_nodes_ = node;
    }
    for (u32 i = 0; i < dead_blocks_.size(); i++)
      order_.FreeBlock(dead_blocks_[i]);
    x->store_count_ -= doomed_.size();
    total_stores_ -= doomed_.size();
    doomed_.Clear();
    dead_blocks_.Clear();
  }

  //===-- Records ---------------------------------------------------------===//

  static Writer *FindWriter(const Location &x, u32 slot) {
    for (u32 w = 0; w < x.writers_.size(); w++)
      if (x.writers_[w].slot == slot)
        return x.writers_[w].writer;
    return nullptr;
  }

  Writer &WriterOf(Location *x, u32 slot) {
    if (Writer *writer = FindWriter(*x, slot))
      return *writer;
    auto *writer = new (Placed{Policy::Allocate(sizeof(Writer))}) Writer();
    writer->slot = slot;
    writer->number = x->writers_.size();
    x->writers_.PushBack({slot, 0, writer});
    return *writer;
  }

  void Release(Location *x) {
    for (u32 w = 0; w < x->writers_.size(); w++)
      for (u32 i = 0; i < x->writers_[w]->stores.size(); i++)
        Doom(x->writers_[w]->stores[i]);
    TrimBlocks();
    FreeDoomed(x);
    for (u32 w = 0; w < x->writers_.size(); w++) {
      x->writers_[w]->~Writer();
      Policy::Free(x->writers_[w].writer);
    }
  }

  void Doom(Node *node) {
    node->removed = true;
    doomed_.PushBack(node);
  }

  Node *NewNode(Location *x, Writer *writer, Value value, u32 slot, u32 epoch, Order order) {
    Node *node = free_nodes_;
    if (node)
      free_nodes_ = node->next;
    else
      node = static_cast<Node *>(Policy::Allocate(sizeof(Node)));
    *node = Node();
    node->value = value;
    node->slot = slot;
    node->epoch = epoch;
    node->thread = writer->number;
    node->ordinal = ++writer->last_ordinal;
    node->time = now_;
    node->serial = ++x->serial_;
    node->sc = IsSeqCst(order);
    x->store_count_++;
    total_stores_++;
    return node;
  }

  MographOptions options_;
  SeqCstOrder<Policy> sc_;
  ModOrder order_;
  u64 now_ = 0;
  u64 total_stores_ = 0;
  Queue<const Thread *, Policy> threads_;
  Node *free_nodes_ = nullptr;

  // Of the operation under way, kept for their memory.
  Queue<Node *, Policy> prior_, candidates_, successes_, doomed_;
  Queue<typename ModOrder::Block *, Policy> dead_blocks_;
  Ordinals<Policy> cut_;
  u64 version_ = 0; // of the thread, when prior_ was filled
  u32 newest_index_ = 0;
};

} // namespace __heddle

#endif // HEDDLE_MODEL_MOGRAPH_H
