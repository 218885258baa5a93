//===-- heddle_happens_before.h - The rules of happens-before -------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Happens-before through atomic operations and fences, as C++20 defines it
// ([intro.races], [atomics.order], [atomics.fences]). The rules are those of
// figure 3.12 of Lidbury's thesis and figure 7 of the C11Tester paper, with
//
//   C_t     ThreadState::clock
//   L_x     LocationState, changed through LocationChange
//   Frel_t  ThreadClocks::release_fence: the clock at the last release fence
//   Facq_t  ThreadClocks::pending: the clocks that relaxed loads have read and
//           that the next acquire fence joins
//
//   [ACQUIRE LOAD]   C_t := C_t u L_x           ReadFrom, acquire
//   [RELAXED LOAD]   Facq_t := Facq_t u L_x     ReadFrom, not acquire
//   [RELEASE FENCE]  Frel_t := C_t              ReleaseFence
//   [ACQUIRE FENCE]  C_t := C_t u Facq_t        AcquireFence
//   stores and RMWs: see heddle/model/release_sequence.h
//
// A read-modify-write applies a load rule first. A failed compare-exchange is a
// load with the failure order, and nothing else. Sequentially consistent
// operations act like acquire and release ones: the order S constrains which
// values are read, it is not part of happens-before.
//
// A release puts the thread into a new epoch: what the thread does next is not
// covered by what it has released. That holds for a release fence too: accesses
// between the fence and the relaxed store that publishes it stay uncovered.
//
// Locks. A clock is read or changed with the thread's slot locked (so that no
// global reset happens meanwhile) and the location's mutex (so that its value
// and clock belong together). Most operations need neither, thanks to ClockId:
//   - a load that finds the same id before and after, and has joined that id
//     before, has nothing to do;
//   - a relaxed store or RMW that finds no clock before (and, for an RMW, after)
//     has nothing to do either.
// One inexactness is left, and it can only hide a race: when a relaxed store
// and a release store to the same location execute within the same few
// nanoseconds, the location may keep the release store's clock although the
// relaxed store came last.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_HAPPENS_BEFORE_H
#define HEDDLE_RTL_HAPPENS_BEFORE_H

#include "heddle/rtl/heddle_sync.h"
#include "tsan_rtl.h"

namespace __heddle {
using __tsan::SyncVar;
using __tsan::ThreadState;
using __tsan::VectorClock;

// The clocks of a thread that uses atomics with clocks, or fences. No larger than
// a clock: the internal allocator touches a megabyte for each size it is asked for.
struct ThreadClocks {
  ClockHandle<RuntimeClocks> release_fence; // Frel
  VectorClock *pending;                     // Facq, made on first use
  bool pending_is_news;                     // pending holds more than C_t
  bool clock_grew;                          // C_t has grown since the last release fence
  __tsan::Sid fence_sid;                    // the epoch that began at the last release fence
  __tsan::Epoch fence_epoch;
  uptr global_epoch; // the clocks above are of this one
  u64 next_serial;   // for ids; 0 where a new block of them is needed

  // The ids this thread has joined. An id that a relaxed load joined into
  // `pending` is in C_t once an acquire fence has followed.
  static constexpr uptr kSeen = 32;
  ClockId seen[kSeen];
  u32 seen_fences[kSeen]; // acquire fences before a relaxed load saw it, or 0
  u32 acquire_fences;     // and 1

  // Volatile reads that are announced but whose value's clock is not joined.
  static constexpr uptr kVolatileReads = 4;
  uptr volatile_reads[kVolatileReads];
  uptr volatile_read_count;

  // No two threads ever make the same id: each takes serial numbers in blocks.
  static constexpr u64 kSerialBlock = 1 << 16;
  ClockId NextId(bool has_clock) {
    if (UNLIKELY(next_serial % kSerialBlock == 0))
      next_serial = NewSerialBlock();
    return (next_serial++ << 1) | has_clock;
  }

  // Whether what `id` stands for is in C_t (or, for a relaxed load, in C_t or
  // `pending`) already.
  bool Has(ClockId id, bool acquire) const {
    uptr slot = Slot(id);
    return seen[slot] == id && (!acquire || seen_fences[slot] < acquire_fences);
  }
  void Note(ClockId id, bool acquire) {
    // Never forget that C_t has it.
    if (Has(id, true))
      return;
    seen[Slot(id)] = id;
    seen_fences[Slot(id)] = acquire ? 0 : acquire_fences;
  }

  void SetReleaseFence(ThreadState *thr);
  // Forgets the clocks of before a global reset. The slot is locked.
  void Refresh(ThreadState *thr) {
    if (UNLIKELY(global_epoch != thr->slot_epoch))
      Forget(thr);
  }
  VectorClock &Pending();

private:
  static u64 NewSerialBlock();
  void Forget(ThreadState *thr);
  static uptr Slot(ClockId id) { return ((id >> 1) ^ (id >> 17)) % kSeen; }
};
static_assert(sizeof(ThreadClocks) <= sizeof(VectorClock));

// [ACQUIRE LOAD], [RELAXED LOAD] of a location whose clock has the given id. The
// slot and the location are locked.
void JoinReleased(ThreadState *thr, SyncVar *s, ClockId id, bool acquire);

inline void ReadFrom(ThreadState *thr, SyncVar *s, ClockId id, bool acquire) {
  if (UNLIKELY(acquire && s->clock))
    thr->clock.Acquire(s->clock); // an annotation's
  if (HasClock(id) && !thr->heddle.Clocks(thr).Has(id, acquire))
    JoinReleased(thr, s, id, acquire);
}

// Changes a location's clock; the slot and the location are locked. Loads that
// look at the location meanwhile see kBeingChanged and take the mutex. The value
// must be stored while a LocationChange exists.
class LocationChange {
public:
  ALWAYS_INLINE LocationChange(ThreadState *thr, SyncVar *s)
      : thr_(thr), s_(s), clocks_(thr->heddle.Clocks(thr)), before_(s->heddle.Id()),
        covered_(false) {
    __sanitizer::atomic_store_relaxed(&s->heddle.id_, kBeingChanged);
    // What changes now, clock and value, becomes visible after kBeingChanged.
    __atomic_thread_fence(__ATOMIC_RELEASE);
  }

  ALWAYS_INLINE ~LocationChange() {
    ClockId id = clocks_.NextId(s_->heddle.Released() != nullptr);
    if (covered_)
      clocks_.Note(id, true);
    __sanitizer::atomic_store(&s_->heddle.id_, id, __sanitizer::memory_order_release);
  }

  // [RELEASE STORE], [RELAXED STORE].
  ALWAYS_INLINE void Store(bool release) {
    covered_ = true; // nothing but what this thread has done
    if (release)
      s_->heddle.sequences_.ReleaseStore(Rules(), thr_->tid, thr_->clock);
    else
      s_->heddle.sequences_.RelaxedStore(Rules(), thr_->tid, Fence());
  }

  // [ACQUIRE LOAD] or [RELAXED LOAD], then [RELEASE RMW] or [RELAXED RMW].
  ALWAYS_INLINE void Rmw(bool acquire, bool release) {
    ReadFrom(thr_, s_, before_, acquire);
    covered_ = !HasClock(before_) || clocks_.Has(before_, true);
    if (release)
      s_->heddle.sequences_.ReleaseRmw(Rules(), thr_->tid, thr_->clock, covered_);
    else
      s_->heddle.sequences_.RelaxedRmw(Rules(), Fence());
  }

private:
  static ReleaseSequenceRules Rules() { return __tsan::flags()->release_sequence; }
  const ClockHandle<RuntimeClocks> &Fence() {
    clocks_.Refresh(thr_);
    return clocks_.release_fence;
  }

  ThreadState *thr_;
  SyncVar *s_;
  ThreadClocks &clocks_;
  ClockId before_;
  bool covered_; // C_t includes the new clock
};

// [ACQUIRE FENCE], [RELEASE FENCE].
void AcquireFence(ThreadState *thr);
void ReleaseFence(ThreadState *thr);

// A relaxed RMW that took no lock may have read from a store that came with a
// clock just then. Which one cannot be told any more, so the next acquire fence
// joins everything that all threads have done so far.
void ReadFromUnknown(ThreadState *thr);

} // namespace __heddle

#endif // HEDDLE_RTL_HAPPENS_BEFORE_H
