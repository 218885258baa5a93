//===-- heddle_volatile.cpp - Accesses to volatile objects ----------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With -mllvm -tsan-distinguish-volatile (GCC: --param
// tsan-distinguish-volatile=1) the compiler announces volatile accesses through
// entry points of their own, which are in lib/tsan/rtl/tsan_interface.inc.
// volatile_order= says what they mean.
//
// The announcement comes before the access, and the access itself is the
// program's. So a value and its clock cannot be looked at together, and both
// directions err on the side of more synchronisation, never of a false alarm:
//   - a write joins the location's clock instead of replacing it, since a
//     reader may still get the value before it;
//   - a read joins the clock at the announcement, and once more when the thread
//     next synchronises or finds a race: the value it got may have been written
//     in between.
//
// Under a schedule a volatile access is no operation, whatever it means: the access
// itself would not be part of it. But a thread may wait for another in a loop that
// reads a volatile object and does nothing else, and would keep its turn for ever. So
// each thousandth read lets others go on.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_volatile.h"

#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_happens_before.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_lost_writes.h"
#include "heddle/rtl/heddle_membarrier.h"
#include "tsan_flags.h"

namespace __heddle {
using namespace __sanitizer;
using namespace __tsan;

bool volatile_is_special;

static bool Acquires() { return flags()->volatile_order == VolatileOrder::kAcqRel; }

void ThreadExtension::SettleVolatileReads(ThreadState *thr) {
  has_volatile_reads_ = false;
  uptr count = clocks_->volatile_read_count;
  clocks_->volatile_read_count = 0;
  for (uptr i = 0; i < count; i++) {
    SyncVar *s = ctx->metamap.GetSyncIfExists(clocks_->volatile_reads[i]);
    if (!s)
      continue;
    ReadLock lock(&s->mtx);
    ReadFrom(thr, s, s->heddle.Id(), Acquires());
  }
}

bool ThreadExtension::OrdersAfterSettling(ThreadState *thr, const Shadow &old) {
  SlotLocker locker(thr); // settles
  JoinMembarriers(thr);
  return thr->clock.Get(old.sid()) >= old.epoch();
}

void ThreadExtension::AddVolatileRead(ThreadState *thr, uptr addr) {
  ThreadClocks &clocks = Clocks(thr);
  for (uptr i = 0; i < clocks.volatile_read_count; i++)
    if (clocks.volatile_reads[i] == addr)
      return;
  if (clocks.volatile_read_count == ThreadClocks::kVolatileReads)
    SlotLocker settle(thr);
  clocks.volatile_reads[clocks.volatile_read_count++] = addr;
  has_volatile_reads_ = true;
}

// Joins what there is to join when a read is announced.
static void JoinAnnounced(ThreadState *thr, uptr addr) {
  const bool acquire = Acquires();
  SyncVar *s = ctx->metamap.GetSyncIfExists(addr);
  if (s && HasClock(s->heddle.Id()) && !thr->heddle.Clocks(thr).Has(s->heddle.Id(), acquire)) {
    SlotLocker locker(thr);
    ReadLock lock(&s->mtx);
    ReadFrom(thr, s, s->heddle.Id(), acquire);
  }
}

static void ReleaseAnnounced(ThreadState *thr, uptr pc, uptr addr) {
  const bool release = Acquires();
  if (!release && !thr->heddle.HasReleaseFence())
    return;
  SlotLocker locker(thr);
  {
    SyncVar *s = ctx->metamap.GetSyncOrCreate(thr, pc, addr, false);
    Lock lock(&s->mtx);
    LocationChange(thr, s).Rmw(false, release);
  }
  if (release)
    IncrementEpoch(thr);
}

static bool IsPlain() { return flags()->volatile_order == VolatileOrder::kPlain; }

static void Access(ThreadState *thr, uptr pc, uptr addr, uptr size, AccessType type) {
  const uptr part = min<uptr>(size, 8);
  for (uptr done = 0; done < size; done += part)
    UnalignedMemoryAccess(thr, pc, addr + done, part, type | kAccessAtomic);
}

static bool Synchronises(ThreadState *thr) {
  return !thr->ignore_sync && !thr->ignore_interceptors;
}

static void LetOthersGoOn(ThreadState *thr, uptr pc) {
  constexpr u32 kReads = 1000;
  if (!IsControlled(thr) || ++ControlledOf(thr)->volatile_reads % kReads)
    return;
  VisibleOperation visible(thr, pc, OperationKind::kYield, nullptr);
}

// Not with an engine, where a fence is an operation.
static void TakeMembarriersAtVolatile(ThreadState *thr) {
  if (LIKELY(!weak_memory))
    TakeMembarriers(thr);
}

bool VolatileRead(uptr pc, uptr addr, uptr size) {
  ThreadState *thr = cur_thread();
  if (schedule_controlled)
    LetOthersGoOn(thr, pc);
  if (IsPlain())
    return false;
  if (Synchronises(thr)) {
    TakeMembarriersAtVolatile(thr);
    JoinAnnounced(thr, addr);
  }
  Access(thr, pc, addr, size, kAccessRead);
  // Last: it is to be settled after the read, and recording the access may lock
  // the slot, which settles all that are known.
  if (Synchronises(thr))
    thr->heddle.AddVolatileRead(thr, addr);
  return true;
}

bool VolatileWrite(uptr pc, uptr addr, uptr size) {
  if (IsPlain())
    return false;
  ThreadState *thr = cur_thread();
  if (Synchronises(thr))
    TakeMembarriersAtVolatile(thr);
  Access(thr, pc, addr, size, kAccessWrite);
  // Last: the access itself must be covered.
  if (Synchronises(thr))
    ReleaseAnnounced(thr, pc, addr);
  return true;
}

} // namespace __heddle
