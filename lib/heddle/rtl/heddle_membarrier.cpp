//===-- heddle_membarrier.cpp ---------------------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_membarrier.h"

#include "heddle/rtl/heddle_happens_before.h"
#include "sanitizer_common/sanitizer_mutex.h"

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {

u32 membarriers;

namespace {

// Guards what follows. The slot of the thread is locked, so that no clock starts anew meanwhile.
StaticSpinMutex mutex;
VectorClock *begun; // what happens before a call, of all calls
uptr begun_epoch;   // the global epoch that it is of

void JoinBegun(ThreadState *thr) {
  if (!begun || begun_epoch != thr->slot_epoch)
    return; // all that was there then happens before everything now
  thr->clock.Acquire(begun);
  if (ThreadClocks *clocks = thr->heddle.ClocksIfAny())
    clocks->clock_grew = true;
}

} // namespace

void ThreadExtension::JoinMembarriers(ThreadState *thr) {
  DCHECK(thr->slot_locked);
  SpinMutexLock lock(&mutex);
  JoinBegun(thr);
}

void ThreadExtension::TakeMembarriers(ThreadState *thr) {
  SlotLocker locker(thr);
  SpinMutexLock lock(&mutex);
  JoinBegun(thr);
  membarriers_ = membarriers;
}

// Into one clock: a thread that has not heard of several calls hears of all at once.
void ThreadExtension::AddMembarrier(ThreadState *thr) {
  SlotLocker locker(thr);
  SpinMutexLock lock(&mutex);
  if (!begun)
    begun = New<VectorClock>();
  else if (begun_epoch != thr->slot_epoch)
    begun->Reset();
  begun_epoch = thr->slot_epoch;
  JoinBegun(thr);
  begun->Acquire(&thr->clock);
  membarriers_ = membarriers + 1;
  __atomic_store_n(&membarriers, membarriers_, __ATOMIC_SEQ_CST);
  IncrementEpoch(thr);
}

__attribute__((preserve_most, cold)) void TakeMembarriersImpl(ThreadState *thr) {
  thr->heddle.TakeMembarriers(thr);
  FullFence(thr);
}

bool IsMembarrier(long command) {
  constexpr long kGlobal = 1 << 0, kGlobalExpedited = 1 << 1, kPrivateExpedited = 1 << 3,
                 kSyncCore = 1 << 5, kRseq = 1 << 7;
  switch (command) {
  case kGlobal:
  case kGlobalExpedited:
  case kPrivateExpedited:
  case kSyncCore:
  case kRseq: // with MEMBARRIER_CMD_FLAG_CPU in fewer threads; which, nobody can tell
    return true;
  default:
    return false;
  }
}

void FenceAllThreads(ThreadState *thr) {
  thr->heddle.AddMembarrier(thr);
  {
    SlotLocker locker(thr);
    for (auto &slot : ctx->slots)
      thr->clock.Set(slot.sid, max(thr->clock.Get(slot.sid), slot.epoch()));
    if (ThreadClocks *clocks = thr->heddle.ClocksIfAny())
      clocks->clock_grew = true;
  }
  FullFence(thr);
}

void ForgetMembarriers(ThreadState *thr) {
  SlotLocker locker(thr);
  SpinMutexLock lock(&mutex);
  membarriers = 0;
  if (begun)
    begun->Reset();
  thr->heddle.ForgetMembarriers();
}

} // namespace __heddle
