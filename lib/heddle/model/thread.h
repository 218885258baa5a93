//===-- thread.h - A thread of the memory model ---------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The clocks of a thread, and the rules of happens-before on the thread's side
// (figure 3.12 of Lidbury's thesis, figure 7 of the C11Tester paper):
//
//   C     clock(), with the thread's own epoch in its slot
//   Frel  release_fence(): what relaxed stores publish
//   Facq  pending: what relaxed loads have read and an acquire fence joins
//   $F    sc_fences: for each thread, its last seq_cst fence before the last one
//         of this thread in the order S
//   $W    sc_writes: likewise for seq_cst writes
//
// A release ends the thread's epoch, so that an epoch stands for what the thread
// did up to its release: an access of thread t in epoch e happens before what
// thread u does next exactly if C_u(t) >= e.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_MODEL_THREAD_H
#define HEDDLE_MODEL_THREAD_H

#include "heddle/model/clock.h"
#include "heddle/model/queue.h"
#include "heddle/model/seq_cst_view.h"

namespace __heddle {

// The values are those of __ATOMIC_RELAXED and so on. Consume counts as acquire.
enum class Order : u8 { kRelaxed, kConsume, kAcquire, kRelease, kAcqRel, kSeqCst };

inline bool IsAcquire(Order order) {
  return order == Order::kConsume || order == Order::kAcquire || order == Order::kAcqRel ||
         order == Order::kSeqCst;
}
inline bool IsRelease(Order order) {
  return order == Order::kRelease || order == Order::kAcqRel || order == Order::kSeqCst;
}
inline bool IsSeqCst(Order order) { return order == Order::kSeqCst; }

// Which standard orders seq_cst operations.
enum class SeqCstRules : u8 { kCxx20, kCxx11 };

// Which of the options of a load the thread knows of already: the last stores in
// modification order that are before all it may read, or that it may read itself.
// There is one of them, or several if their order is not known.
struct Views {
  u32 count;
  u32 swapped; // what has changed places with option 0

  u32 operator[](u32 i) const { return i == 0 ? swapped : i == swapped ? 0 : i; }
};

template <class Policy> class ModelThread {
public:
  using Clock = typename Policy::Clock;
  using ThreadClock = typename ThreadClockOf<Policy>::Type;
  using ReleasedClock = Released<Policy>;

  explicit ModelThread(u32 slot) : slot_(slot) { clock_.Set(slot, 1); }
  // With a clock that is kept elsewhere and has begun already.
  ModelThread(const ThreadClock &clock, u32 slot) : slot_(slot), clock_(clock) {
    NewVersion();
    name_ = u32(version_);
  }
  ~ModelThread() {
    ReleasedClock::Drop(snapshot_);
    release_fence_.Clear();
  }
  ModelThread(const ModelThread &) = delete;
  ModelThread &operator=(const ModelThread &) = delete;

  u32 slot() const { return slot_; }
  // Of this thread alone, in whatever slot it is.
  u32 name() const { return Policy::kSlotsReused ? name_ : slot_; }
  u32 epoch() const { return clock_.Get(slot_); }
  const ThreadClock &clock() const { return clock_; }
  const ReleasedClock &release_fence() const { return release_fence_; }

  // [ACQUIRE LOAD], [RELAXED LOAD].
  void ReadFrom(const ReleasedClock &released, bool acquire) {
    if (!released.Empty() && !released.KnownTo(clock_))
      Learn(released, acquire);
  }
  void Learn(const ReleasedClock &released, bool acquire) {
    if (acquire) {
      Join(released);
    } else {
      released.JoinInto(&pending_);
      has_pending_ = true;
    }
  }

  // What a release of this thread releases now. EndEpoch() must follow, once
  // for each release.
  void Release(ReleasedClock *into) {
    if (!snapshot_)
      snapshot_ = ReleasedClock::NewVector(clock_);
    into->Assign(snapshot_, slot_, epoch());
  }
  void EndEpoch() { Advance(&clock_, slot_); }
  u32 NextEpoch() const { return epoch() + 1; } // after a release

  // [ACQUIRE FENCE].
  void AcquireFence() {
    if (!has_pending_)
      return;
    clock_.Join(pending_);
    has_pending_ = false;
    Changed();
  }
  // [RELEASE FENCE].
  void ReleaseFence() {
    Release(&release_fence_);
    EndEpoch();
  }

  // A lock, the start of a thread, its end: acquire and release by other means.
  void Acquire(const Clock &clock) {
    clock_.Join(clock);
    Changed();
  }
  void ReleaseTo(Clock *clock) {
    clock->Join(clock_);
    EndEpoch();
  }

  // Changes whenever the thread comes to know of something that others did. Where
  // slots are reused, no two threads ever have the same.
  u64 version() const { return version_; }

  // The clock is kept elsewhere from now on, or the thread has come to another slot.
  void MoveTo(const ThreadClock &clock, u32 slot) {
    clock_ = clock;
    slot_ = slot;
    behind = false;
    Changed();
  }
  // MoveTo is to follow: what the thread has done in its slot stays among what it has done.
  void LeaveSlot() {
    for (u32 i = 0; i < left_.size(); i++)
      if (left_[i].slot == slot_)
        return void(left_[i].epoch = epoch());
    left_.PushBack({slot_, epoch()});
  }
  // All clocks start anew, everywhere.
  void StartAnew() {
    release_fence_.Clear();
    pending_ = Clock();
    has_pending_ = has_sc_fence = false;
    known_fence = 0;
    known_fence_version = 0;
    seq_cst.Clear();
    left_.Clear();
    has_seen = false;
    seen = Clock();
    Changed();
  }

  // See SeqCstGraph.
  SeqCstView<Policy> seq_cst;
  // There is more that the thread's next operation must come after.
  void NewVersion() {
    static u64 last;
    version_ = Policy::kSlotsReused ? __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED) : version_ + 1;
  }

  // See SeqCstOrder.
  bool has_sc_fence = false; // the two below are of any use
  Clock sc_fences;
  Clock sc_writes;
  // See BufferFences: the last fence that the thread knows of, by its number, and the
  // thread's version when it was found. sc_fences is what happens before that or an
  // earlier one.
  u32 known_fence = 0;
  u64 known_fence_version = 0;
  // Adds all that the thread has done so far.
  void EnterInto(Clock *clock) const {
    for (u32 i = 0; i < left_.size(); i++)
      if (clock->Get(left_[i].slot) < left_[i].epoch)
        clock->Set(left_[i].slot, left_[i].epoch);
    clock->Set(slot_, epoch());
  }
  void Changed() {
    ReleasedClock::Drop(snapshot_);
    snapshot_ = nullptr;
    NewVersion();
  }

  // See VisibleToAll.
  u64 visible_changes = 0;
  bool has_seen = false; // there is anything in the next
  Clock seen;            // what wakers had done when they woke the thread

  // For the engines: the stores that a load under way may read,
  Queue<u32, Policy> candidates;
  // how many there are after the one that it has read (BufferEngine),
  u32 newer = 0;
  // which one that is, by its number (MographEngine),
  u64 read = 0;
  // how many seq_cst fences were executed before it (BufferFences),
  u32 fences_executed = 0;
  // the histories that it has asked others about of late, whether it may and does ask, and
  // whether all clocks have started anew but its own (CommonPast).
  static constexpr u32 kAsked = 32;
  const void *asked[kAsked] = {};
  mutable bool may_ask = false, asks = false, behind = false;

private:
  void Join(const ReleasedClock &released) {
    released.JoinInto(&clock_);
    Changed();
  }

  struct LeftSlot {
    u32 slot;
    u32 epoch; // the last of the thread there
  };

  u32 slot_;
  Queue<LeftSlot, Policy> left_; // each slot once
  ThreadClock clock_;
  typename ReleasedClock::Vector *snapshot_ = nullptr; // C, but for the thread's own epoch
  ReleasedClock release_fence_;
  Clock pending_;
  bool has_pending_ = false;
  u64 version_ = 1;
  u32 name_ = 0;
};

// The order S of seq_cst operations, as far as fences need it in C++11: S_F and S_W of
// figure 3.20. S is the order in which the operations are executed.
template <class Policy> struct SeqCstOrder {
  using Thread = ModelThread<Policy>;

  typename Policy::Clock fences; // each thread's epoch at its last seq_cst fence
  typename Policy::Clock writes; // likewise at its last seq_cst write

  void Write(const Thread &thread) { writes.Set(thread.slot(), thread.epoch()); }
  // [SC ATOMIC FENCE]. Called within the epoch that the fence ends.
  void Fence(Thread *thread) {
    thread->EnterInto(&fences);
    thread->sc_fences = fences;
    thread->sc_writes = writes;
    thread->has_sc_fence = true;
    thread->Changed();
  }
};

// Finite visibility where it can be told: a thread that waits in the operating system
// has been there for a while when others go on, and what it did before is seen by all.
// Libraries rely on it: the waiters of libstdc++'s std::latch, say, and whoever wakes them
// meet in operations that are too weak for anything else.
//
// Likewise a thread that was woken there comes after what its waker did: it has seen that,
// though nothing of it happens before. Who woke whom is not told apart: a thread that is
// woken has seen what all wakers did before.
template <class Policy> class VisibleToAll {
public:
  using Thread = ModelThread<Policy>;
  using Clock = typename Policy::Clock;

  void Add(const Thread *thread) {
    thread->EnterInto(&epochs_);
    changes_++;
  }
  // The thread has woken another one,
  void AddWaker(const Thread &thread) {
    wakers_.Join(Clock(thread.clock()));
    thread.EnterInto(&wakers_);
  }
  // which goes on.
  void Woken(Thread *thread) {
    thread->seen.Join(wakers_);
    thread->has_seen = true;
    thread->NewVersion();
  }
  void StartAnew() {
    epochs_ = wakers_ = Clock();
    changes_++;
  }
  // To be called before the thread's next operation.
  void Refresh(Thread *thread) const {
    if (__builtin_expect(thread->visible_changes == changes_, true))
      return;
    thread->visible_changes = changes_;
    thread->NewVersion();
  }
  // The last epoch of `slot` that the next operation of the thread must not go before.
  u32 Bound(const Thread &thread, u32 slot) const {
    u32 bound = thread.clock().Get(slot);
    if (__builtin_expect(changes_ != 0, false))
      bound = Larger(bound, epochs_.Get(slot));
    if (__builtin_expect(thread.has_seen, false))
      bound = Larger(bound, thread.seen.Get(slot));
    return bound;
  }
  // The same as a clock.
  struct Bounds {
    const VisibleToAll &visible;
    const Thread &thread;
    u32 Get(u32 slot) const { return visible.Bound(thread, slot); }
  };

private:
  static u32 Larger(u32 a, u32 b) { return a > b ? a : b; }

  Clock epochs_{};
  Clock wakers_{};
  u64 changes_ = 0;
};

// A fence of any order: what both engines do. `sc` has the order S.
template <class Policy, class SeqCst>
void PerformFence(ModelThread<Policy> *thread, SeqCst *sc, Order order) {
  if (IsAcquire(order))
    thread->AcquireFence();
  if (IsSeqCst(order))
    sc->Fence(thread);
  if (IsRelease(order))
    thread->ReleaseFence();
}

} // namespace __heddle

#endif // HEDDLE_MODEL_THREAD_H
