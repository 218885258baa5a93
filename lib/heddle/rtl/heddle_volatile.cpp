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
// entry points of their own. volatile_order= says what they mean.
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
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_happens_before.h"
#include "tsan_flags.h"
#include "tsan_interface.h"

namespace __heddle {
using namespace __sanitizer;
using namespace __tsan;

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
static void VolatileRead(ThreadState *thr, uptr addr, bool acquire) {
  SyncVar *s = ctx->metamap.GetSyncIfExists(addr);
  if (s && HasClock(s->heddle.Id()) && !thr->heddle.Clocks(thr).Has(s->heddle.Id(), acquire)) {
    SlotLocker locker(thr);
    ReadLock lock(&s->mtx);
    ReadFrom(thr, s, s->heddle.Id(), acquire);
  }
}

static void VolatileWrite(ThreadState *thr, uptr pc, uptr addr, bool release) {
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

template <uptr kSize, bool kAligned>
ALWAYS_INLINE void VolatileAccess(uptr pc, uptr addr, AccessType type) {
  ThreadState *thr = cur_thread();
  VolatileOrder order = flags()->volatile_order;
  const bool read = type & kAccessRead;
  if (UNLIKELY(order != VolatileOrder::kPlain && !thr->ignore_sync && !thr->ignore_interceptors)) {
    type |= kAccessAtomic;
    if (read)
      VolatileRead(thr, addr, Acquires());
  }
  constexpr uptr kPart = kSize < 8 ? kSize : 8;
  for (uptr part = 0; part < kSize; part += kPart) {
    if (kAligned)
      MemoryAccess(thr, pc, addr + part, kPart, type);
    else
      UnalignedMemoryAccess(thr, pc, addr + part, kPart, type);
  }
  if (LIKELY(!(type & kAccessAtomic)))
    return;
  // Both last. A write is released with all that came before it, the access
  // included. A read must be settled after it has happened, and MemoryAccess may
  // lock the slot, which settles all that are known.
  if (read)
    thr->heddle.AddVolatileRead(thr, addr);
  else
    VolatileWrite(thr, pc, addr, Acquires());
}

} // namespace __heddle

#define VOLATILE_ENTRY(prefix, size, aligned)                                                      \
  extern "C" SANITIZER_INTERFACE_ATTRIBUTE void prefix##volatile_read##size(void *addr) {          \
    __heddle::VolatileAccess<size, aligned>(GET_CALLER_PC(), reinterpret_cast<uptr>(addr),         \
                                            __tsan::kAccessRead);                                  \
  }                                                                                                \
  extern "C" SANITIZER_INTERFACE_ATTRIBUTE void prefix##volatile_write##size(void *addr) {         \
    __heddle::VolatileAccess<size, aligned>(GET_CALLER_PC(), reinterpret_cast<uptr>(addr),         \
                                            __tsan::kAccessWrite);                                 \
  }
VOLATILE_ENTRY(__tsan_, 1, true)
VOLATILE_ENTRY(__tsan_, 2, true)
VOLATILE_ENTRY(__tsan_, 4, true)
VOLATILE_ENTRY(__tsan_, 8, true)
VOLATILE_ENTRY(__tsan_, 16, true)
VOLATILE_ENTRY(__tsan_unaligned_, 2, false)
VOLATILE_ENTRY(__tsan_unaligned_, 4, false)
VOLATILE_ENTRY(__tsan_unaligned_, 8, false)
VOLATILE_ENTRY(__tsan_unaligned_, 16, false)
#undef VOLATILE_ENTRY
