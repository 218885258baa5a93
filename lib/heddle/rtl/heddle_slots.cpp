//===-- heddle_slots.cpp - A thread comes to a slot -----------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ThreadSanitizer gives a thread another slot when the epochs of its own are used up,
// or when another thread has taken that. What Heddle keeps by slot and epoch has to
// follow: "Slots and epochs" in docs/happens-before.md has the rules.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_weak_policy.h"
#include "tsan_flags.h"

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {

u32 RuntimePolicy::first_epoch[kThreadSlotCount];

void ThreadExtension::AfterSlotAttach(Sid sid, Epoch first) {
  slot_is_new_ = true;
  RuntimePolicy::first_epoch[static_cast<u32>(sid)] = static_cast<u32>(first);
}

// Upstream notes the new slot and epoch in the thread's trace only if a release
// follows. After an acquire the trace would go on in the old epoch, no stack
// could be found for the accesses that follow, and their races would be dropped.
void ThreadExtension::EnterSlot(ThreadState *thr) SANITIZER_NO_THREAD_SAFETY_ANALYSIS {
  // A release ends the epoch, and the last one has no end: what the thread did next would
  // count as released.
  while (thr->fast_state.epoch() == kEpochLast) {
    SlotUnlock(thr);
    SlotLock(thr);
  }
  slot_is_new_ = false;
  // A thread that has no trace yet begins one with its slot and epoch.
  if (atomic_load_relaxed(&thr->trace_pos))
    TraceTime(thr);
}

bool PrepareSlot(TidSlot *slot) {
  const uptr slots = flags()->test_slots, epochs = flags()->test_epochs;
  if (UNLIKELY(slots) && static_cast<uptr>(slot->sid) >= slots)
    return false;
  constexpr uptr kEpochs = static_cast<uptr>(kEpochLast) - 1; // 1 is the first
  if (UNLIKELY(epochs) && epochs < kEpochs && slot->epoch() == kEpochZero)
    slot->SetEpoch(static_cast<Epoch>(kEpochs - epochs));
  return true;
}

} // namespace __heddle
