//===-- heddle_interceptors_exit.cpp - The end of the process -------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Handlers of atexit and destructors of static objects are part of the schedule, and
// other threads go on meanwhile. When they are done the process ends with an
// operation, which is never over: what other threads do after it can be neither
// seen nor repeated. They are not waited for either, as upstream would
// (atexit_sleep_ms), since they cannot get anything done. But those that have ended in
// the schedule are waited for until they have ended in the system: they would be missing in
// reports of threads that nobody joined.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "tsan_flags.h"
#include <sys/syscall.h>

using namespace __sanitizer;
using namespace __tsan;
using namespace __heddle;

DECLARE_REAL(int, __cxa_atexit, void (*function)(void *), void *argument, void *dso)
extern "C" int __cxa_at_quick_exit(void (*function)(void *), void *dso);

namespace {

// The main thread is registered to the end, and so are, in the child of a fork, the threads
// that only its parent has.
bool IsOnItsWay(ThreadContextBase *base, void *) {
  auto *thread = static_cast<ThreadContext *>(base);
  return thread->tid != kMainTid && thread->status == ThreadStatusRunning && thread->thr &&
         thread->thr->heddle.HasEnded() &&
         !KernelCall(SYS_tgkill, int(internal_getpid()), u32(thread->os_id), 0);
}

// For a second at most: they may be stuck in the last of the program's destructors.
void AwaitEnds() {
  const u64 limit = MonotonicNanoTime() + 1000000000;
  for (;;) {
    {
      ThreadRegistryLock lock(&ctx->thread_registry);
      if (!ctx->thread_registry.FindThreadContextLocked(IsOnItsWay, nullptr))
        return;
    }
    if (MonotonicNanoTime() >= limit)
      return;
    internal_sched_yield();
  }
}

void LastOperation(void *) {
  if (!schedule_controlled)
    return;
  TakeTurnForGood(cur_thread());
  AwaitEnds();
}

// After quick_exit nothing of upstream's is called.
void LastOperationQuickly(void *) {
  LastOperation(nullptr);
  EndControl(cur_thread());
}

} // namespace

namespace __heddle {

// What is registered first is called last: after all that the program registers, and
// before upstream's.
void InstallExitHandlers() {
  flags()->atexit_sleep_ms = 0;
  REAL(__cxa_atexit)(LastOperation, nullptr, nullptr);
  __cxa_at_quick_exit(LastOperationQuickly, nullptr);
}

} // namespace __heddle

HEDDLE_INTERCEPTOR(void, _exit, int status) {
  HEDDLE_CONTROLLED(_exit, status);
  TakeTurnForGood(thr);
  AwaitEnds();
  __interceptor__exit(status);
}

// Upstream has nothing to say when it is called.
HEDDLE_NEW_INTERCEPTOR(void, _Exit, (int status), (status)) {
  HEDDLE_CONTROLLED(_Exit, status);
  TakeTurnForGood(thr);
  EndControl(thr);
  __interceptor__Exit(status);
}
