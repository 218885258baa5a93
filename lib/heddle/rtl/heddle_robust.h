//===-- heddle_robust.h - Robust mutexes of threads that end --------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The system takes a robust mutex from a thread that ends with it, and the next to lock it is told
// so. That one sees what the thread has done, as after an unlock: without, the race detector would
// report each access to what the mutex protects. So a thread that ends with such mutexes releases
// to them. Which they are is in a list that libc keeps for the kernel.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_ROBUST_H
#define HEDDLE_RTL_ROBUST_H

#include "sanitizer_common/sanitizer_internal_defs.h"

#include <pthread.h>

namespace __tsan {
struct ThreadState;
}

namespace __heddle {

ALWAYS_INLINE bool IsRobust(const void *mutex) {
  constexpr int kRobust = 16; // as glibc keeps it in the kind, which is negative of one destroyed
  const int kind = static_cast<const pthread_mutex_t *>(mutex)->__data.__kind;
  return kind > 0 && (kind & kRobust);
}

// Of the current thread.
bool HoldsRobust();
void ReleaseRobust(__tsan::ThreadState *thr); // it is about to end

// The current thread, which the schedule does not control, has locked one.
void ReleaseRobustAtEnd();

} // namespace __heddle

#endif // HEDDLE_RTL_ROBUST_H
