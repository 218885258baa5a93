//===-- heddle_crash.cpp - Crashes inside the runtime ---------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_crash.h"

#include "tsan_rtl.h"

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {
namespace {

// More than any operation needs, engines of weak memory included.
constexpr uptr kRoom = 16 << 10;

// The stack pointer moves, so that the report calls it what it is.
NOINLINE void UseStack() {
  volatile char room[kRoom];
  for (uptr at = sizeof(room); at; at -= 1024)
    room[at - 1024] = 0;
}

} // namespace

void GiveUpLocks() SANITIZER_NO_THREAD_SAFETY_ANALYSIS {
  ThreadState *thr = cur_thread();
  if (thr->slot_locked)
    SlotUnlock(thr);
}

OwnAllocations::OwnAllocations() : thr_(cur_thread()), before_(thr_->in_symbolizer) {
  thr_->in_symbolizer = 1;
}

OwnAllocations::~OwnAllocations() { thr_->in_symbolizer = before_; }

void ReserveStack(const ThreadState *thr) {
  const uptr here = GET_CURRENT_FRAME();
  if (UNLIKELY(here - thr->stk_addr < thr->stk_size && here - thr->stk_addr < 2 * kRoom))
    UseStack();
}

} // namespace __heddle
