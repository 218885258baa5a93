//===-- buffer.h - The memory model with store buffers --------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tsan11's engine (Lidbury's thesis, 3.4 to 3.6): each location keeps its last
// stores, and a load may read any of them that the standard allows. Modification
// order and S are the order of execution, so the executions are those of C++20 in
// which sb, asw, rf, mo and sc together are acyclic. Options give C++11's rules for
// seq_cst operations, which are tsan11's, and its release sequences.
//
// Where each axiom is enforced:
//   CoWW, and mo agrees with sc    stores are appended in the order of execution
//   CoRW, no reading from later    a load finds only stores that were executed
//   CoWR, CoRR                     ReadsFromSet: stops (1), (2)
//   seq_cst, C++20                 ReadsFromSet: stops (3), (4), and buffer_seq_cst.h
//   seq_cst fences, 29.3p4 to p6   ReadsFromSet2011: stops (3), (4), (5)
//   seq_cst reads, 29.3p3          ReadsFromSet2011: behind the last seq_cst store
//   RMWs read their predecessor    Rmw reads the last store
//   release sequences, fences      StoreRecord::released, ModelThread
//
// Departures from figure 3.22, besides C++20's rules:
//   - Stores are not marked when a later seq_cst store happens after them. A
//     seq_cst load compares those it finds behind the last seq_cst store with it:
//     a seq_cst store costs no walk. The figure's marks stay for good, so that a
//     store that happens before any seq_cst store is hidden; 29.3p3 speaks of the
//     last one before the load only, and the standard wins
//     (test/litmus/corpus/SC-read-behind-last-write.litmus).
//   - A store keeps at most one load per thread, the first: if a later one
//     happens before something, so does the first.
//   - The buffer is bounded. When it is full the oldest store is forgotten, and
//     with it what can no longer be read: fewer behaviours, none that is wrong.
//   - Stores that no thread can read any more are forgotten before that, so that
//     most histories are a few stores long (CommonPast).
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_MODEL_BUFFER_H
#define HEDDLE_MODEL_BUFFER_H

#include "heddle/model/buffer_history.h"
#include "heddle/model/buffer_seq_cst.h"
#include "heddle/model/common_past.h"
#include "heddle/model/release_sequence.h"
#include "heddle/model/thread.h"

namespace __heddle {

struct BufferOptions {
  u32 history = 128; // stores a location remembers
  ReleaseSequenceRules release_sequence = ReleaseSequenceRules::kCxx20;
  SeqCstRules seq_cst = SeqCstRules::kCxx20;
  u32 prune_interval = 8; // stores to a location between two attempts to prune, at least
};

template <class Policy> class BufferEngine {
public:
  using Value = typename Policy::Value;
  using Clock = typename Policy::Clock;
  using Thread = ModelThread<Policy>;
  using ReadValue = typename CompactOf<Policy>::Read; // Value, or what there is to it

  class Location;

  explicit BufferEngine(BufferOptions options = BufferOptions())
      : options_(options), common_past_(options.prune_interval > 1) {}

  // Threads that are to be asked what they can still read, to the end given. If
  // there are none, histories have their full length.
  void Begin(Thread *thread) {
    common_past_.Lock();
    common_past_.Begin(thread);
    common_past_.Unlock();
  }
  void End(const Thread *thread) {
    common_past_.Lock();
    common_past_.End(thread);
    common_past_.Unlock();
  }
  void Await(const Thread *thread, Thread *awaited) {
    common_past_.Lock();
    common_past_.Await(thread, awaited);
    common_past_.Unlock();
  }

  // All clocks start anew, and there is no location left.
  void StartAnew() {
    common_past_.StartAnew();
    sc_ = SeqCstOrder<Policy>();
    fences_.StartAnew();
    visible_.StartAnew();
  }

  // `choices.Read(n, views)` answers which of n stores is read, 0 being the newest.
  // `choices.Spurious()` whether a weak compare-exchange fails for no reason.
  // What is read is known as the store with thread->newer stores after it.
  template <class Choices>
  ReadValue Load(Thread *thread, Location *x, Order order, Choices &&choices) {
    u32 readable = ReadsFromSet(*thread, *x, order);
    u32 option = readable > 1 ? choices.Read(readable, Views{1, readable - 1}) : 0;
    return ReadOnly(thread, x, thread->candidates[option], order);
  }

  void Store(Thread *thread, Location *x, const Value &value, Order order) {
    ReleasedClock released;
    if (options_.release_sequence == ReleaseSequenceRules::kCxx11)
      Store2011(thread, x, order, &released);
    else if (IsRelease(order))
      thread->Release(&released); // [RELEASE STORE]
    else
      released.Share(thread->release_fence()); // [RELAXED STORE]
    Append(thread, x, value, order, &released);
  }

  // Performs `function` on the value, and returns the old one.
  template <class Function>
  ReadValue Rmw(Thread *thread, Location *x, Function function, Order order) {
    const u32 last = x->stores_.size() - 1;
    ReadValue old = Read(thread, x, last, order);
    ReleasedClock released;
    if (options_.release_sequence == ReleaseSequenceRules::kCxx11) {
      Rmw2011(thread, x, order, &released);
    } else if (IsRelease(order) && IsAcquire(order)) {
      thread->Release(&released); // which includes what was read
    } else {
      released.Share(x->stores_.ReleasedBy(last)); // RMWs continue every release sequence
      AddRelease(thread, order, &released);
    }
    Append(thread, x, function(old), order, &released);
    return old;
  }

  // A failed compare-exchange is a load with the failure order. It may read any
  // store that such a load may read, if its value is not the expected one (a
  // weak one: any). One that succeeds reads the last store.
  template <class Choices>
  bool CompareExchange(Thread *thread, Location *x, ReadValue *expected, const Value &desired,
                       Order order, Order failure, bool weak, Choices &&choices) {
    const u32 last = x->stores_.size() - 1;
    const bool may_succeed = x->stores_[last].Is(*expected);
    u32 readable = ReadsFromSet(*thread, *x, failure);
    u32 options = 0;
    for (u32 i = 0; i < readable; i++) {
      const u32 store = thread->candidates[i];
      if ((store == last && may_succeed) || !x->stores_[store].Is(*expected) || weak)
        thread->candidates[options++] = store;
    }
    const u32 chosen =
        thread->candidates[options > 1 ? choices.Read(options, Views{1, options - 1}) : 0];
    if (chosen == last && may_succeed && !(weak && choices.Spurious())) {
      Rmw(thread, x, [&](const ReadValue &) -> const Value & { return desired; }, order);
      return true;
    }
    *expected = ReadOnly(thread, x, chosen, failure);
    return false;
  }

  void Fence(Thread *thread, Order order) {
    is_2011() ? PerformFence(thread, &sc_, order) : PerformFence(thread, &fences_, order);
  }
  // See MographEngine.
  void BecomeVisible(Thread *thread) { visible_.Add(thread); }
  void Wakes(const Thread &thread) { visible_.AddWaker(thread); }
  void Woken(Thread *thread) { visible_.Woken(thread); }

private:
  using ReleasedClock = Released<Policy>;
  using History = BufferHistory<Policy>;
  using HeadPolicy = typename History::HeadPolicy;

public:
  class Location {
  public:
    explicit Location(const Value &initial) : stores_(initial) {}

    Value Latest() const { return Restore(0); }
    // The store with so many after it.
    Value Restore(u32 newer) const { return stores_.Restore(stores_.size() - 1 - newer); }

    // Joins into `clock` all that loads could acquire.
    void JoinReleased(Clock *clock) const {
      for (u32 i = 0; i < stores_.size(); i++)
        stores_.ReleasedBy(i).JoinInto(clock);
    }
    // Whether acquiring the last store would be no news for the thread.
    bool LatestIsKnownTo(const Thread &thread) const {
      const ReleasedClock &released = stores_.ReleasedBy(stores_.size() - 1);
      return released.Empty() || released.KnownTo(thread.clock());
    }
    // What those acquire who read the initial value.
    void SetInitiallyReleased(const Clock &clock) { stores_.SetReleased(0, clock); }

  private:
    friend class BufferEngine;

    History stores_; // in modification order
  };

private:
  static constexpr u32 kNone = ~0u;

  bool is_2011() const { return options_.seq_cst == SeqCstRules::kCxx11; }

  // Fills thread.candidates with the stores that a load may read, the newest first, and
  // returns their number.
  u32 ReadsFromSet(Thread &thread, const Location &x, Order order) {
    if (is_2011())
      return ReadsFromSet2011(thread, x, order);
    const u32 executed = thread.fences_executed = fences_.executed();
    // What happens before a fence that precedes the load in S, or precedes a fence that
    // happens before the load, and how many fences there have been before the later of
    // the two.
    const Clock *fenced = nullptr;
    u32 fences = 0;
    if (IsSeqCst(order)) {
      fenced = executed ? &fences_.past() : nullptr;
      fences = executed + 1;
    } else if (executed) {
      fences_.Refresh(&thread);
      fenced = thread.has_sc_fence ? &thread.sc_fences : nullptr;
      fences = thread.known_fence;
    }
    const typename VisibleToAll<Policy>::Bounds visible{visible_, thread};
    u32 count = 0;
    thread.candidates.Clear();
    for (u32 i = x.stores_.size(); i-- > 0;) {
      const auto &store = x.stores_[i];
      thread.candidates.PushBack(i);
      count++;
      // (1) CoWR: the store happens before the load, or is visible to it (VisibleToAll).
      if (store.epoch() <= visible.Get(store.slot()))
        break;
      // (2) CoRR: so does a load that read it, or is.
      if (x.stores_.AnyLoadHappensBefore(i, visible))
        break;
      // (3) The store, or a load that read it, happens before such a fence.
      if (fenced && (store.epoch() <= fenced->Get(store.slot()) ||
                     x.stores_.AnyLoadHappensBefore(i, *fenced)))
        break;
      // (4) The store, or a load that read it, is seq_cst, and precedes them.
      if (store.sc() && x.stores_.FencesBeforeSeqCst(i) < fences)
        break;
    }
    return count;
  }

  // Figure 3.22.
  u32 ReadsFromSet2011(Thread &thread, const Location &x, Order order) {
    const bool sc = IsSeqCst(order);
    const typename VisibleToAll<Policy>::Bounds visible{visible_, thread};
    u32 last_sc = kNone;
    u32 count = 0;
    thread.candidates.Clear();
    for (u32 i = x.stores_.size(); i-- > 0;) {
      const auto &store = x.stores_[i];
      // 29.3p3: behind the last seq_cst store, a seq_cst load may read stores that
      // are not seq_cst and do not happen before it. What that store released is
      // the clock of its thread.
      if (!sc || last_sc == kNone ||
          (!store.sc() && store.epoch() > x.stores_.ReleasedBy(last_sc).Get(store.slot()))) {
        thread.candidates.PushBack(i);
        count++;
      }
      if (store.sc() && last_sc == kNone)
        last_sc = i;
      // (1) CoWR: the store happens before the load, or is visible to it (VisibleToAll).
      if (store.epoch() <= visible.Get(store.slot()))
        break;
      // (2) CoRR: so does a load that read it, or is.
      if (x.stores_.AnyLoadHappensBefore(i, visible))
        break;
      // (3) 29.3p6: a seq_cst fence follows the store, one precedes the load.
      if (thread.has_sc_fence && store.epoch() <= thread.sc_fences.Get(store.slot()))
        break;
      // (4) 29.3p4: a seq_cst store, and a seq_cst fence before the load.
      if (store.sc() && thread.has_sc_fence && store.epoch() <= thread.sc_writes.Get(store.slot()))
        break;
      // (5) 29.3p5: a seq_cst fence follows the store, and the load is seq_cst.
      if (sc && store.epoch() <= sc_.fences.Get(store.slot()))
        break;
    }
    return count;
  }

  // The thread reads the store.
  __attribute__((always_inline)) static ReadValue Read(Thread *thread, Location *x, u32 store,
                                                       Order order) {
    x->stores_.AddLoad(store, thread->slot(), thread->epoch());
    thread->ReadFrom(x->stores_.ReleasedBy(store), IsAcquire(order));
    thread->newer = x->stores_.size() - 1 - store;
    return x->stores_[store].Get();
  }

  // Likewise, and stores nothing. A seq_cst operation that does is known by its store.
  __attribute__((always_inline)) ReadValue ReadOnly(Thread *thread, Location *x, u32 store,
                                                    Order order) {
    if (IsSeqCst(order) && !is_2011())
      x->stores_.MarkSeqCst(store, thread->fences_executed);
    return Read(thread, x, store, order);
  }

  void AddRelease(Thread *thread, Order order, ReleasedClock *released) {
    if (!IsRelease(order))
      return released->Join(thread->release_fence()); // [RELAXED RMW]
    ReleasedClock own;
    thread->Release(&own); // [RELEASE RMW]
    released->Join(own);
    own.Clear();
  }

  // The rules of 2011, on whole clocks.
  void Store2011(Thread *thread, Location *x, Order order, ReleasedClock *released) {
    auto fence = FenceOf(*thread);
    if (IsRelease(order))
      x->stores_.heads().ReleaseStore(ReleaseSequenceRules::kCxx11, thread->name(),
                                      Clock(thread->clock()));
    else
      x->stores_.heads().RelaxedStore(ReleaseSequenceRules::kCxx11, thread->name(), fence);
    fence.Release();
    CopyHeads(x, released);
  }
  void Rmw2011(Thread *thread, Location *x, Order order, ReleasedClock *released) {
    auto fence = FenceOf(*thread);
    if (IsRelease(order))
      x->stores_.heads().ReleaseRmw(ReleaseSequenceRules::kCxx11, thread->name(),
                                    Clock(thread->clock()), false);
    else
      x->stores_.heads().RelaxedRmw(ReleaseSequenceRules::kCxx11, fence);
    fence.Release();
    CopyHeads(x, released);
  }
  static ClockHandle<HeadPolicy> FenceOf(const Thread &thread) {
    ClockHandle<HeadPolicy> fence{};
    if (!thread.release_fence().Empty()) {
      Clock clock;
      thread.release_fence().JoinInto(&clock);
      fence.AssignShared(clock);
    }
    return fence;
  }
  static void CopyHeads(Location *x, ReleasedClock *released) {
    released->Clear();
    if (const Clock *clock = x->stores_.heads().Released())
      released->SetJoined(*clock);
  }

  __attribute__((always_inline)) void Append(Thread *thread, Location *x, const Value &value,
                                             Order order, ReleasedClock *released) {
    History &stores = x->stores_;
    // Locations that are used now and then have but one store whenever they are.
    if (!Policy::kConcurrent && (--stores.until_prune == 0 || KnownToAll(stores.Back())))
      Prune(&stores);
    if (stores.size() < options_.history) {
      if (stores.full_for(*released))
        MakeRoom(thread, &stores);
    } else {
      if (Policy::kConcurrent && stores.at_start())
        MakeRoom(thread, &stores);
      if (stores.size() >= options_.history)
        stores.PopFront(1);
    }
    const bool sc = IsSeqCst(order), is_2011 = this->is_2011();
    stores.PushBack(value, thread->slot(), thread->epoch(), sc && is_2011, released);
    if (sc && is_2011)
      sc_.Write(*thread);
    else if (sc)
      stores.MarkSeqCst(stores.size() - 1, fences_.executed());
    if (IsRelease(order))
      thread->EndEpoch();
  }

  using Record = typename History::Record;
  bool KnownToAll(const Record &store) { return store.epoch() <= common_past_.Epoch(store.slot()); }

  // Behind a store that happens before all that threads do next, nothing can be
  // read: (1) of ReadsFromSet.
  void Prune(History *stores) {
    u32 last = stores->size() - 1;
    while (last > 0 && !KnownToAll((*stores)[last]))
      last--;
    stores->PopFront(last);
    // The cost of an attempt is that of looking at what it leaves.
    u32 left = stores->size(), interval = options_.prune_interval;
    interval = interval > 1 && left > interval ? left : interval;
    stores->until_prune = u8(interval < 255 ? interval : 255);
  }

  // Before the history takes more memory, each thread is asked what it can still read,
  // by (1) and (2). He who is about to store will read nothing older.
  //
  // A history that many stores go to has more room than it needs, so that this happens
  // seldom; others have no more than they need.
  __attribute__((noinline)) void MakeRoom(Thread *by, History *stores) {
    if (!common_past_.BeginAsking(by))
      return;
    u32 oldest = common_past_.threads() ? stores->size() - 1 : 0;
    common_past_.ForEach([&](const auto &view) {
      if (view.thread == by)
        return;
      u32 i = stores->size() - 1;
      while (i > 0 && (*stores)[i].epoch() > view.Get((*stores)[i].slot()) &&
             !stores->AnyLoadHappensBefore(i, view))
        i--;
      oldest = i < oldest ? i : oldest;
    });
    common_past_.EndAsking(by);
    const void *&recent = by->asked[reinterpret_cast<uptr>(stores) / 32 % Thread::kAsked];
    const bool busy = recent == stores;
    recent = stores;
    stores->PopFront(oldest);
    if (busy && stores->capacity() < kBusyCapacity && stores->capacity() < options_.history)
      stores->Grow();
    else if (!busy)
      stores->Fit();
  }
  static constexpr u32 kBusyCapacity = 16; // stores

  BufferOptions options_;
  CommonPast<Policy> common_past_;
  SeqCstOrder<Policy> sc_;      // C++11's rules
  BufferFences<Policy> fences_; // C++20's
  VisibleToAll<Policy> visible_;
};

} // namespace __heddle

#endif // HEDDLE_MODEL_BUFFER_H
