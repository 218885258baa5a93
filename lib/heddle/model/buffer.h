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
// order is the order of execution, so the executions are those of C++11 (or of
// C++20's release sequences) in which sb, asw, rf, mo and sc together are acyclic.
//
// Where each axiom is enforced:
//   CoWW, and mo agrees with sc    stores are appended in the order of execution
//   CoRW, no reading from later    a load finds only stores that were executed
//   CoWR, CoRR                     ReadsFromSet: stops (1), (2)
//   seq_cst fences, 29.3p4 to p6   ReadsFromSet: stops (3), (4), (5)
//   seq_cst reads, 29.3p3          ReadsFromSet: behind the last seq_cst store
//   RMWs read their predecessor    Rmw reads the last store
//   release sequences, fences      StoreRecord::released, ModelThread
//
// Departures from figure 3.22:
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

#include "heddle/model/common_past.h"
#include "heddle/model/queue.h"
#include "heddle/model/release_sequence.h"
#include "heddle/model/thread.h"

namespace __heddle {

struct BufferOptions {
  u32 history = 128; // stores a location remembers
  ReleaseSequenceRules release_sequence = ReleaseSequenceRules::kCxx20;
  u32 prune_interval = 8; // stores to a location between two attempts to prune, at least
};

template <class Policy> class BufferEngine {
public:
  using Value = typename Policy::Value;
  using Clock = typename Policy::Clock;
  using Thread = ModelThread<Policy>;

  class Location;

  explicit BufferEngine(BufferOptions options = BufferOptions())
      : options_(options), common_past_(options.prune_interval > 1) {}

  // Threads that are to be asked what they can still read, to the end given. If
  // there are none, histories have their full length.
  void Begin(const Thread *thread) {
    common_past_.Lock();
    common_past_.Begin(thread);
    common_past_.Unlock();
  }
  void End(const Thread *thread) {
    common_past_.Lock();
    common_past_.End(thread);
    common_past_.Unlock();
  }
  void Await(const Thread *thread, const Thread *awaited) {
    common_past_.Lock();
    common_past_.Await(thread, awaited);
    common_past_.Unlock();
  }

  // All clocks start anew, and there is no location left.
  void StartAnew() {
    common_past_.StartAnew();
    sc_ = SeqCstOrder<Policy>();
  }

  // `choices.Read(n, views)` answers which of n stores is read, 0 being the newest.
  // `choices.Spurious()` whether a weak compare-exchange fails for no reason.
  template <class Choices> Value Load(Thread *thread, Location *x, Order order, Choices &&choices) {
    u32 readable = ReadsFromSet(*thread, *x, order);
    Record &store =
        x->stores_[thread->candidates[readable > 1 ? choices.Read(readable, Views{1, readable - 1})
                                                   : 0]];
    NoteLoad(*thread, &store);
    thread->ReadFrom(store.released, IsAcquire(order));
    return store.value;
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
  template <class Function> Value Rmw(Thread *thread, Location *x, Function function, Order order) {
    Record &last = x->stores_.Back();
    Value old = last.value;
    NoteLoad(*thread, &last);
    thread->ReadFrom(last.released, IsAcquire(order));
    ReleasedClock released;
    if (options_.release_sequence == ReleaseSequenceRules::kCxx11) {
      Rmw2011(thread, x, order, &released);
    } else if (IsRelease(order) && IsAcquire(order)) {
      thread->Release(&released); // which includes what was read
    } else {
      released.Share(last.released); // RMWs continue every release sequence
      AddRelease(thread, order, &released);
    }
    Append(thread, x, function(old), order, &released);
    return old;
  }

  // A failed compare-exchange is a load with the failure order. It may read any
  // store that such a load may read, if its value is not the expected one (a
  // weak one: any). One that succeeds reads the last store.
  template <class Choices>
  bool CompareExchange(Thread *thread, Location *x, Value *expected, Value desired, Order order,
                       Order failure, bool weak, Choices &&choices) {
    const u32 last = x->stores_.size() - 1;
    const bool may_succeed = x->stores_[last].value == *expected;
    u32 readable = ReadsFromSet(*thread, *x, failure);
    u32 options = 0;
    for (u32 i = 0; i < readable; i++) {
      const u32 store = thread->candidates[i];
      if ((store == last && may_succeed) || x->stores_[store].value != *expected || weak)
        thread->candidates[options++] = store;
    }
    const u32 chosen =
        thread->candidates[options > 1 ? choices.Read(options, Views{1, options - 1}) : 0];
    if (chosen == last && may_succeed && !(weak && choices.Spurious())) {
      Rmw(thread, x, [&](Value) { return desired; }, order);
      return true;
    }
    Record &store = x->stores_[chosen];
    NoteLoad(*thread, &store);
    thread->ReadFrom(store.released, IsAcquire(failure));
    *expected = store.value;
    return false;
  }

  void Fence(Thread *thread, Order order) { PerformFence(thread, &sc_, order); }

private:
  using ReleasedClock = Released<Policy>;

  // The first load of each thread that read a store. Plain data.
  class LoadMarks {
  public:
    template <class AnyClock> bool AnyHappensBefore(const AnyClock &clock) const {
      const Mark *marks = Marks();
      for (u32 i = 0; i < size_; i++)
        if (marks[i].epoch <= clock.Get(marks[i].slot))
          return true;
      return false;
    }
    void Add(u32 slot, u32 epoch) {
      const Mark *marks = Marks();
      for (u32 i = 0; i < size_; i++)
        if (marks[i].slot == slot)
          return;
      if (size_ == capacity_)
        Grow();
      Marks()[size_++] = {slot, epoch};
    }
    void Free() {
      if (capacity_ > kInline)
        Policy::Free(heap_);
    }

  private:
    struct Mark {
      u32 slot, epoch;
    };
    static constexpr u32 kInline = 2; // most stores are read by one or two threads

    Mark *Marks() { return capacity_ > kInline ? heap_ : inline_; }
    const Mark *Marks() const { return capacity_ > kInline ? heap_ : inline_; }

    void Grow() {
      Mark *marks = static_cast<Mark *>(Policy::Allocate(2 * capacity_ * sizeof(Mark)));
      for (u32 i = 0; i < size_; i++)
        marks[i] = Marks()[i];
      Free();
      heap_ = marks;
      capacity_ *= 2;
    }

    union {
      Mark inline_[kInline] = {};
      Mark *heap_;
    };
    u16 size_ = 0, capacity_ = kInline;
  };

  // A store in the history of its location. Plain data.
  struct Record {
    Value value;
    ReleasedClock released;
    LoadMarks loads;
    u32 epoch;
    u16 slot;
    bool sc;
  };

  // 2011's rules need each head's clock by itself.
  struct HeadPolicy {
    using Clock = typename Policy::Clock;
    static void Join(Clock &into, const Clock &from) { into.Join(from); }
    template <class T> static T *Make() {
      T *object = static_cast<T *>(Policy::Allocate(sizeof(T)));
      *object = T();
      return object;
    }
    template <class T> static void Destroy(T *object) { Policy::Free(object); }
  };

public:
  class Location {
  public:
    // The initial value is a store that happens before everything.
    explicit Location(Value initial) {
      stores_.PushBack(Record{initial, ReleasedClock(), LoadMarks(), 0, 0, false});
    }
    ~Location() {
      for (u32 i = 0; i < stores_.size(); i++)
        Forget(&stores_[i]);
      heads_.Reset();
    }
    Location(const Location &) = delete;
    Location &operator=(const Location &) = delete;

    Value Latest() const { return stores_.Back().value; }

    // Joins into `clock` all that loads could acquire.
    void JoinReleased(Clock *clock) const {
      for (u32 i = 0; i < stores_.size(); i++)
        stores_[i].released.JoinInto(clock);
    }
    // Whether acquiring the last store would be no news for the thread.
    bool LatestIsKnownTo(const Thread &thread) const {
      const ReleasedClock &released = stores_.Back().released;
      return released.Empty() || released.KnownTo(thread.clock());
    }
    // What those acquire who read the initial value.
    void SetInitiallyReleased(const Clock &clock) { stores_[0].released.SetJoined(clock); }

  private:
    friend class BufferEngine;

    static void Forget(Record *store) {
      store->released.Clear();
      store->loads.Free();
    }

    Queue<Record, Policy, 4> stores_; // in modification order
    u32 until_prune_ = 1;             // stores
    ReleaseSequences<HeadPolicy> heads_{};
  };

private:
  // Figure 3.22: fills thread.candidates with the stores that a load may read, the
  // newest first, and returns their number.
  u32 ReadsFromSet(Thread &thread, const Location &x, Order order) {
    const bool sc = IsSeqCst(order);
    const auto &clock = thread.clock();
    const Record *last_sc = nullptr;
    u32 count = 0;
    thread.candidates.Clear();
    for (u32 i = x.stores_.size(); i-- > 0;) {
      const Record &store = x.stores_[i];
      // 29.3p3: behind the last seq_cst store, a seq_cst load may read stores that
      // are not seq_cst and do not happen before it. What that store released is
      // the clock of its thread.
      if (!sc || !last_sc || (!store.sc && store.epoch > last_sc->released.Get(store.slot))) {
        thread.candidates.PushBack(i);
        count++;
      }
      if (store.sc && !last_sc)
        last_sc = &store;
      // (1) CoWR: the store happens before the load.
      if (store.epoch <= clock.Get(store.slot))
        break;
      // (2) CoRR: so does a load that read it.
      if (store.loads.AnyHappensBefore(clock))
        break;
      // (3) 29.3p6: a seq_cst fence follows the store, one precedes the load.
      if (thread.has_sc_fence && store.epoch <= thread.sc_fences.Get(store.slot))
        break;
      // (4) 29.3p4: a seq_cst store, and a seq_cst fence before the load.
      if (store.sc && thread.has_sc_fence && store.epoch <= thread.sc_writes.Get(store.slot))
        break;
      // (5) 29.3p5: a seq_cst fence follows the store, and the load is seq_cst.
      if (sc && store.epoch <= sc_.fences.Get(store.slot))
        break;
    }
    return count;
  }

  static void NoteLoad(const Thread &thread, Record *store) {
    if (store->slot != thread.slot() || !store->epoch) // else the store itself says as much
      store->loads.Add(thread.slot(), thread.epoch());
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
      x->heads_.ReleaseStore(ReleaseSequenceRules::kCxx11, thread->slot(), Clock(thread->clock()));
    else
      x->heads_.RelaxedStore(ReleaseSequenceRules::kCxx11, thread->slot(), fence);
    fence.Release();
    CopyHeads(*x, released);
  }
  void Rmw2011(Thread *thread, Location *x, Order order, ReleasedClock *released) {
    auto fence = FenceOf(*thread);
    if (IsRelease(order))
      x->heads_.ReleaseRmw(ReleaseSequenceRules::kCxx11, thread->slot(), Clock(thread->clock()),
                           false);
    else
      x->heads_.RelaxedRmw(ReleaseSequenceRules::kCxx11, fence);
    fence.Release();
    CopyHeads(*x, released);
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
  static void CopyHeads(const Location &x, ReleasedClock *released) {
    released->Clear();
    if (const Clock *clock = x.heads_.Released()) {
      auto *vector = ReleasedClock::NewVector();
      vector->clock = *clock;
      released->TakeJoined(vector);
    }
  }

  void Append(Thread *thread, Location *x, const Value &value, Order order,
              ReleasedClock *released) {
    // Locations that are used now and then have but one store whenever they are.
    if (!Policy::kConcurrent && (--x->until_prune_ == 0 || KnownToAll(x->stores_.Back())))
      Prune(x);
    if (x->stores_.size() < options_.history) {
      if (x->stores_.full())
        MakeRoom(x);
    } else if (Policy::kConcurrent && --x->until_prune_ == 0) {
      MakeRoom(x);
      x->until_prune_ = options_.history;
    }
    if (x->stores_.size() >= options_.history)
      ForgetOldest(x, 1);
    Record &record = x->stores_.PushBack();
    record.value = value;
    record.released = *released; // with the reference that it holds
    record.loads = LoadMarks();
    record.epoch = thread->epoch();
    record.slot = u16(thread->slot());
    record.sc = IsSeqCst(order);
    if (IsSeqCst(order))
      sc_.Write(*thread);
    if (IsRelease(order))
      thread->EndEpoch();
  }

  static void ForgetOldest(Location *x, u32 count) {
    for (u32 i = 0; i < count; i++)
      Location::Forget(&x->stores_[i]);
    x->stores_.PopFront(count);
  }

  bool KnownToAll(const Record &store) { return store.epoch <= common_past_.Epoch(store.slot); }

  // Behind a store that happens before all that threads do next, nothing can be
  // read: (1) of ReadsFromSet.
  void Prune(Location *x) {
    u32 last = x->stores_.size() - 1;
    while (last > 0 && !KnownToAll(x->stores_[last]))
      last--;
    ForgetOldest(x, last);
    // The cost of an attempt is that of looking at what it leaves.
    u32 left = x->stores_.size(), interval = options_.prune_interval;
    x->until_prune_ = interval > 1 && left > interval ? left : interval;
  }

  // Before the history takes more memory, each thread is asked what it can still read,
  // by (1) and (2). If that is more than half, it grows, so that this happens seldom.
  void MakeRoom(Location *x) {
    if (!common_past_.TryLock())
      return;
    u32 oldest = common_past_.threads() ? x->stores_.size() - 1 : 0;
    common_past_.ForEach([&](const auto &view) {
      u32 i = x->stores_.size() - 1;
      while (i > 0 && x->stores_[i].epoch > view.Get(x->stores_[i].slot) &&
             !x->stores_[i].loads.AnyHappensBefore(view))
        i--;
      oldest = i < oldest ? i : oldest;
    });
    common_past_.Unlock();
    const u32 size = x->stores_.size();
    ForgetOldest(x, oldest);
    if (oldest >= size / 2)
      x->stores_.Fit();
    else if (size < options_.history)
      x->stores_.Grow();
  }

  BufferOptions options_;
  CommonPast<Policy> common_past_;
  SeqCstOrder<Policy> sc_;
};

} // namespace __heddle

#endif // HEDDLE_MODEL_BUFFER_H
