//===-- heddle_sync.h - State that Heddle adds to ThreadSanitizer's -------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a location (upstream's SyncVar) and a thread (upstream's ThreadState)
// carry for exact happens-before. The rules that change it are in
// heddle_happens_before.h; this file only declares it, because upstream's
// structures hold it by value.
//
// The clock of atomic operations is kept apart from SyncVar::clock, which stays
// upstream's: mutexes and annotations use it, and an annotation's
// happens-before must not end where a release sequence does.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_SYNC_H
#define HEDDLE_RTL_SYNC_H

#include "heddle/model/release_sequence.h"
#include "sanitizer_common/sanitizer_atomic.h"
#include "sanitizer_common/sanitizer_placement_new.h"
#include "tsan_defs.h"
#include "tsan_mman.h"
#include "tsan_vector_clock.h"

namespace __sanitizer {
struct SymbolizedStack;
}

namespace __tsan {
class Shadow;
struct ThreadState;
struct SyncVar;
struct TidSlot;
} // namespace __tsan

namespace __heddle {

struct RuntimeClocks {
  using Clock = __tsan::VectorClock;
  static void Join(Clock &into, const Clock &from) { into.Acquire(&from); }
  template <class T> static T *Make() { return __tsan::New<T>(); }
  static void Destroy(void *object);
};

// Names the content of a location's clock. An id is never used twice, but for
// the three below, so a thread that sees the same id before and after an access
// knows that no store with a clock came between, and a thread that has joined
// an id once need not do so again. Bit 0 says that there is a clock.
using ClockId = u64;
constexpr ClockId kNeverReleased = 0;
constexpr ClockId kBeingChanged = 1;
inline bool HasClock(ClockId id) { return id & 1; }

struct ThreadClocks;     // heddle_happens_before.h
struct ControlledThread; // heddle_control_impl.h
struct WeakLocation;     // heddle_weak_impl.h
struct WeakThread;

// Part of every SyncVar. Zero is its initial state.
class LocationState {
public:
  ClockId Id() const { return __sanitizer::atomic_load(&id_, __sanitizer::memory_order_acquire); }
  const __tsan::VectorClock *Released() const { return sequences_.Released(); }

  // The location ends (its memory is freed).
  void Reset() {
    if (UNLIKELY(weak_ != nullptr))
      EndWeak();
    sequences_.Reset();
    __sanitizer::atomic_store(&id_, kNeverReleased, __sanitizer::memory_order_relaxed);
  }

  // All clocks start anew.
  void StartAnew();

  // With weak_memory=: its history, made on first use.
  WeakLocation *weak() const { return weak_; }
  void SetWeak(WeakLocation *weak) { weak_ = weak; }
  // Instead of an id: who has its newest store (heddle_newest.h).
  void SetNewest(ClockId word) {
    __sanitizer::atomic_store(&id_, word, __sanitizer::memory_order_relaxed);
  }
  // It has none any more. What was released to it still is.
  void GiveUpWeak(__tsan::ThreadState *thr);

private:
  friend class LocationChange;

  void EndWeak();

  __sanitizer::atomic_uint64_t id_;
  ReleaseSequences<RuntimeClocks> sequences_;
  WeakLocation *weak_;
};

// Seams initialize and finalize: see heddle_control_start.cpp.
void StartControl();
// heddle_fork_server.cpp: whether there is anything for it to do.
bool NeedsBackgroundThread();
// heddle_waiting_report.cpp, several times a second, in the background thread.
void WorkInBackground();
void EndControl(__tsan::ThreadState *thr);

// Seam own-frames: takes out the frames of our interceptors between upstream's, which
// is the first, and the program.
void StripOwnFrames(__sanitizer::SymbolizedStack *top);

// Seam slot-choice: false if the slot is not to be used. No thread is in it, and the queue of
// slots is locked.
bool PrepareSlot(__tsan::TidSlot *slot);

// heddle_membarrier.cpp: the calls of membarrier(2) so far that were fences.
extern __sanitizer::u32 membarriers;

// Part of every ThreadState. Zero is its initial state: it may be looked at
// before the ThreadState is constructed.
class ThreadExtension {
public:
  ~ThreadExtension() {
    if (clocks_)
      Release();
    if (weak_)
      ReleaseWeak();
  }

  bool HasReleaseFence() const { return has_release_fence_; }

  // Seam slot-lock: every synchronisation begins by locking the slot.
  void AfterSlotLock(__tsan::ThreadState *thr) {
    synced_ = true;
    if (UNLIKELY(slot_is_new_))
      EnterSlot(thr);
    if (UNLIKELY(has_volatile_reads_))
      SettleVolatileReads(thr);
  }

  // Seam slot-attach: the thread has got a slot, perhaps one that it has had before.
  // `first` is its first epoch there.
  void AfterSlotAttach(__tsan::Sid sid, __tsan::Epoch first);

  // Seam annotation-acquire: __tsan_acquire of an address that is an atomic.
  // The slot and the location are locked.
  void Acquire(__tsan::ThreadState *thr, __tsan::SyncVar *s);

  // Seam report-race: whether `old` happens before the thread's access after
  // all, because of a volatile read that has not been settled yet, or of a membarrier.
  bool Orders(__tsan::ThreadState *thr, const __tsan::Shadow &old) {
    return UNLIKELY(has_volatile_reads_ || HasMembarriersToTake()) && OrdersAfterSettling(thr, old);
  }

  // See heddle_membarrier.h.
  bool HasMembarriersToTake() const {
    return membarriers_ != __atomic_load_n(&membarriers, __ATOMIC_ACQUIRE);
  }
  void JoinMembarriers(__tsan::ThreadState *thr);
  void TakeMembarriers(__tsan::ThreadState *thr);
  void AddMembarrier(__tsan::ThreadState *thr);
  void ForgetMembarriers() { membarriers_ = 0; }

  // Remembers a volatile read until the thread next locks its slot.
  void AddVolatileRead(__tsan::ThreadState *thr, uptr addr);

  ThreadClocks &Clocks(__tsan::ThreadState *thr) {
    if (UNLIKELY(!clocks_))
      Create(thr);
    return *clocks_;
  }
  ThreadClocks *ClocksIfAny() const { return clocks_; }

  // With weak_memory=: what the memory model knows of the thread; made on first use.
  WeakThread *Weak() const { return weak_; }
  void SetWeak(WeakThread *weak) { weak_ = weak; }
  // Whether the slot has been locked since the last call: the clock may have grown.
  void SetSynced() { synced_ = true; }
  bool TakeSynced() {
    bool synced = synced_;
    synced_ = false;
    return synced;
  }

  // Null if the thread is not under the schedule.
  ControlledThread *Controlled() const { return controlled_; }
  void SetControlled(ControlledThread *thread) {
    was_controlled_ = controlled_;
    controlled_ = thread;
  }
  // The thread goes on as another fiber. What the one was to the schedule, the other one is now.
  void PassTo(ThreadExtension &fiber) {
    fiber.controlled_ = controlled_;
    controlled_ = nullptr;
  }
  // It leaves the schedule, and goes on.
  void Dismiss() {
    controlled_ = nullptr;
    was_controlled_ = false;
  }
  // Whether it has ended in the schedule, and is about to end in the system.
  bool HasEnded() const { return was_controlled_ && !controlled_; }

  // Seam signal-handler: a handler is about to run. The call that it interrupts is
  // to fail unless the handler was installed with SA_RESTART.
  void SignalComes(int flags);
  bool TakeInterrupt() {
    bool interrupts = interrupts_;
    interrupts_ = false;
    return interrupts;
  }

private:
  friend struct ThreadClocks;

  void Create(__tsan::ThreadState *thr);
  void Release();
  void ReleaseWeak();
  void EnterSlot(__tsan::ThreadState *thr);
  void SettleVolatileReads(__tsan::ThreadState *thr);
  bool OrdersAfterSettling(__tsan::ThreadState *thr, const __tsan::Shadow &old);

  ThreadClocks *clocks_; // made on first use
  WeakThread *weak_;
  ControlledThread *controlled_;
  __sanitizer::u32 membarriers_; // those that have taken effect in the thread
  bool has_release_fence_;
  bool has_volatile_reads_;
  bool interrupts_;
  bool was_controlled_;
  bool synced_;
  bool slot_is_new_; // the thread's trace does not say yet that it is there
};

} // namespace __heddle

#endif // HEDDLE_RTL_SYNC_H
