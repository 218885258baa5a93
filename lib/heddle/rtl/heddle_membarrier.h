//===-- heddle_membarrier.h - membarrier(2) -------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call of membarrier(2) is a seq_cst fence in every thread of the process: in each
// other thread at some point while the call lasts (docs/model.md, "membarrier"). Here
// that point is where the thread is when the call returns. So
//   - what the caller did before happens before what the others do afterwards. It is
//     kept in a clock of all callers, which a thread joins with its next atomic
//     operation, and before a race of its own is reported;
//   - what the others have done happens before what the caller does afterwards: it
//     joins the present epoch of every slot. A thread leaves its epoch with its next
//     atomic operation; what it does up to that counts as done before. That may hide a
//     race, and makes none up;
//   - each thread fences: the caller in the call, others before their next atomic
//     operation. With an engine, that is early enough: docs/model.md says why.
//
// A thread that has begun since the first call fences once, too.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_MEMBARRIER_H
#define HEDDLE_RTL_MEMBARRIER_H

#include "heddle/rtl/heddle_sync.h"
#include "tsan_rtl.h"

namespace __heddle {

// Keeps nearly all registers, so that those who hardly ever call it need not save theirs.
__attribute__((preserve_most, cold)) void TakeMembarriersImpl(__tsan::ThreadState *thr);

// The calls that the thread has not heard of take effect in it.
ALWAYS_INLINE void TakeMembarriers(__tsan::ThreadState *thr) {
  if (UNLIKELY(thr->heddle.HasMembarriersToTake()))
    TakeMembarriersImpl(thr);
}

// Whether a call that has succeeded was a fence: others register the process, or ask.
bool IsMembarrier(long command);

// The thread has called it, with success. Within a visible operation.
void FenceAllThreads(__tsan::ThreadState *thr);

// The next of the executions of one process begins with this thread.
void ForgetMembarriers(__tsan::ThreadState *thr);

// tsan_interface_atomic.cpp: atomic_thread_fence(seq_cst), within a visible operation.
void FullFence(__tsan::ThreadState *thr);

} // namespace __heddle

#endif // HEDDLE_RTL_MEMBARRIER_H
