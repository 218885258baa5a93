//===-- heddle_robust.cpp - Robust mutexes of threads that end ------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_robust.h"

#include "heddle/rtl/heddle_interceptors.h"
#include "sanitizer_common/sanitizer_mutex.h"

#include <linux/futex.h>
#include <sys/syscall.h>

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {
namespace {

// Calls `each` with the address of every robust mutex that the thread holds.
template <class Each> void ForEachRobust(Each each) {
  robust_list_head *head = nullptr;
  uptr size = 0;
  if (KernelCall(SYS_get_robust_list, 0, &head, &size) || !head)
    return;
  constexpr uptr kInherits = 1; // in the pointer: it inherits priorities
  for (uptr at = reinterpret_cast<uptr>(head->list.next) & ~kInherits;
       at != reinterpret_cast<uptr>(&head->list);
       at = reinterpret_cast<uptr>(reinterpret_cast<robust_list *>(at)->next) & ~kInherits)
    each(at + uptr(head->futex_offset)); // the futex is what a mutex begins with
}

StaticSpinMutex key_mutex;
pthread_key_t end_key;
bool has_key;

// Called in each round of destructors. The last but one is early enough, since the thread state
// ends in the last, and late enough for what other destructors do.
void AtEnd(void *rounds) {
  if (const uptr left = reinterpret_cast<uptr>(rounds) - 1) {
    pthread_setspecific(end_key, reinterpret_cast<void *>(left));
    return;
  }
  ReleaseRobust(cur_thread());
}

} // namespace

bool HoldsRobust() {
  bool holds = false;
  ForEachRobust([&](uptr) { holds = true; });
  return holds;
}

void ReleaseRobust(ThreadState *thr) {
  ForEachRobust([&](uptr mutex) { Release(thr, 0, mutex); });
}

void ReleaseRobustAtEnd() {
  {
    SpinMutexLock lock(&key_mutex);
    has_key = has_key || !pthread_key_create(&end_key, AtEnd);
  }
  if (!has_key || pthread_getspecific(end_key))
    return;
  ScopedIgnoreInterceptors ignore;
  pthread_setspecific(end_key, reinterpret_cast<void *>(GetPthreadDestructorIterations() - 1));
}

} // namespace __heddle
