//===-- heddle_happens_before.cpp -----------------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_happens_before.h"

#include "heddle/rtl/heddle_weak_memory.h"
#include "sanitizer_common/sanitizer_placement_new.h"
#include "tsan_flags.h"

namespace __heddle {
using namespace __sanitizer;
using namespace __tsan;

void RuntimeClocks::Destroy(void *object) {
  // A global reset may run on the background thread, which has no Processor.
  Processor *proc = cur_thread()->proc();
  InternalFree(object, proc ? &proc->internal_alloc_cache : nullptr);
}

//===-- Threads -----------------------------------------------------------===//

void ThreadExtension::Create(ThreadState *thr) {
  clocks_ = New<ThreadClocks>();
  internal_memset(clocks_, 0, sizeof(*clocks_));
  clocks_->global_epoch = thr->slot_epoch;
  clocks_->acquire_fences = 1;
}

void ThreadExtension::Release() {
  clocks_->release_fence.Release();
  if (clocks_->pending)
    RuntimeClocks::Destroy(clocks_->pending);
  RuntimeClocks::Destroy(clocks_);
  clocks_ = nullptr;
  has_release_fence_ = has_volatile_reads_ = false;
}

u64 ThreadClocks::NewSerialBlock() {
  static atomic_uint64_t blocks;
  // Serial 0 stays unused: kNeverReleased and kBeingChanged are made of it.
  return atomic_fetch_add(&blocks, kSerialBlock, memory_order_relaxed) + 1;
}

void ThreadClocks::Forget(ThreadState *thr) {
  DCHECK(thr->slot_locked);
  // Ids from before the reset are not used again, so `seen` can stay.
  global_epoch = thr->slot_epoch;
  release_fence.Release();
  thr->heddle.has_release_fence_ = false;
  if (pending)
    pending->Reset();
  pending_is_news = false;
}

VectorClock &ThreadClocks::Pending() {
  if (UNLIKELY(!pending))
    pending = New<VectorClock>();
  return *pending;
}

//===-- Locations ---------------------------------------------------------===//

void JoinReleased(ThreadState *thr, SyncVar *s, ClockId id, bool acquire) {
  DCHECK(thr->slot_locked);
  ThreadClocks &clocks = thr->heddle.Clocks(thr);
  if (acquire) {
    thr->clock.Acquire(s->heddle.Released());
    clocks.clock_grew = true;
  } else {
    clocks.Refresh(thr);
    clocks.Pending().Acquire(s->heddle.Released());
    clocks.pending_is_news = true;
  }
  clocks.Note(id, acquire);
}

void ThreadExtension::Acquire(ThreadState *thr, SyncVar *s) {
  if (clocks_)
    clocks_->clock_grew = true;
  ReadFrom(thr, s, s->heddle.Id(), true);
  if (UNLIKELY(s->heddle.weak() != nullptr))
    AcquireWeakly(thr, s);
}

void ReadFromUnknown(ThreadState *thr) {
  SlotLocker locker(thr);
  ThreadClocks &clocks = thr->heddle.Clocks(thr);
  clocks.Refresh(thr);
  VectorClock &pending = clocks.Pending();
  for (auto &slot : ctx->slots)
    pending.Set(slot.sid, max(pending.Get(slot.sid), slot.epoch()));
  clocks.pending_is_news = true;
}

//===-- Fences ------------------------------------------------------------===//

void AcquireFence(ThreadState *thr) {
  ThreadClocks *clocks = thr->heddle.ClocksIfAny();
  if (!clocks || !(clocks->pending_is_news || clocks->volatile_read_count))
    return;               // no relaxed load has read a clock since the last one
  SlotLocker locker(thr); // settles volatile reads
  clocks->Refresh(thr);
  if (!clocks->pending_is_news)
    return;
  thr->clock.Acquire(clocks->pending);
  clocks->pending_is_news = false;
  clocks->clock_grew = true;
  clocks->acquire_fences++;
}

// Whether the thread has done nothing that could be released since its last
// release fence: the epoch that the fence began is still the latest event in
// the thread's trace, and C_t has not grown. Accesses and function calls are
// traced, and so is every acquire but those that set clock_grew.
static bool NothingSinceReleaseFence(ThreadState *thr, const ThreadClocks &clocks) {
  if (!thr->heddle.HasReleaseFence() || clocks.clock_grew)
    return false;
  FastState now = thr->fast_state;
  if (clocks.fence_sid != now.sid() || clocks.fence_epoch != now.epoch() ||
      clocks.global_epoch != thr->slot_epoch)
    return false;
  uptr pos = atomic_load_relaxed(&thr->trace_pos);
  if (!pos)
    return false;
  EventTime last;
  internal_memcpy(&last, reinterpret_cast<char *>(pos) - sizeof(last), sizeof(last));
  return !last.is_access && !last.is_func && last.type == EventType::kTime &&
         last.sid == static_cast<u64>(now.sid()) && last.epoch == static_cast<u64>(now.epoch());
}

void ReleaseFence(ThreadState *thr) {
  ThreadClocks &clocks = thr->heddle.Clocks(thr);
  if (NothingSinceReleaseFence(thr, clocks))
    return;
  SlotLocker locker(thr);
  clocks.Refresh(thr);
  clocks.SetReleaseFence(thr);
  IncrementEpoch(thr);
  clocks.fence_sid = thr->fast_state.sid();
  clocks.fence_epoch = thr->fast_state.epoch();
  clocks.clock_grew = false;
}

void ThreadClocks::SetReleaseFence(ThreadState *thr) {
  release_fence.AssignShared(thr->clock);
  thr->heddle.has_release_fence_ = true;
}

} // namespace __heddle
