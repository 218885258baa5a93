//===-- heddle_fibers.cpp - Fibers ----------------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that switches stacks says so with __tsan_switch_to_fiber. What a fiber is depends on
// who asks:
//
//   - to the schedule, nothing. A thread of the schedule is a thread of the system, whichever
//     fiber it runs: that one blocks it, is told of signals, and is who waits in a deadlock.
//     So its ControlledThread goes from fiber to fiber, and a fiber that nobody runs has none;
//   - to the race detector and the memory model, a thread with a clock of its own, that goes
//     along if another thread runs the fiber. A switch orders what the one fiber has done before
//     what the other does next, unless the program says that it does not
//     (__tsan_switch_to_fiber_no_sync): then it may read older stores than those of the other.
//
// To create, to switch to and to destroy a fiber are operations: the engines of weak memory look
// at all clocks, also at that of a fiber which nobody runs.
//
// Signals are for the thread. Upstream keeps one that came until the next safe place with the
// fiber that ran then, which may not run again for long: it is handled before the switch. While a
// fiber is created or destroyed it is, for a moment, who runs here, and the schedule does not know
// it: signals are blocked meanwhile.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_fibers.h"

#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_weak_memory.h"
#include "sanitizer_common/sanitizer_linux.h"

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {
namespace {

atomic_uint8_t has_fibers;

ThreadState *Create(ThreadState *thr, uptr pc, unsigned flags) {
  atomic_store_relaxed(&has_fibers, 1);
  ThreadState *fiber = FiberCreate(thr, pc, flags);
  // Without a schedule the engine learns of all threads when they use it.
  if (UNLIKELY(weak_memory) && schedule_controlled)
    WeakThreadBegins(fiber, NewWeakThread(thr));
  return fiber;
}

void Switch(ThreadState *from, uptr pc, ThreadState *to, unsigned flags) {
  if (UNLIKELY(from == to))
    return;
  ControlledThread *thread = from->heddle.Controlled();
  // A signal may come in between: whichever of the two it finds is under the schedule.
  if (thread)
    to->heddle.SetControlled(thread);
  FiberSwitch(from, pc, to, flags);
  if (thread) {
    from->heddle.PassTo(to->heddle);
    thread->thr = to;
  }
}

bool HasSignals(ThreadState *thr) { return atomic_load_relaxed(&thr->pending_signals); }

} // namespace

void EndWeakFibers() {
  if (LIKELY(!atomic_load_relaxed(&has_fibers)))
    return;
  ThreadRegistryLock lock(&ctx->thread_registry);
  ctx->thread_registry.RunCallbackForEachThreadLocked(
      [](ThreadContextBase *thread, void *) {
        if (thread->thread_type == ThreadType::Fiber && thread->status == ThreadStatusRunning)
          EndWeakThread(static_cast<ThreadContext *>(thread)->thr);
      },
      nullptr);
}

} // namespace __heddle

using namespace __heddle;

extern "C" {

SANITIZER_INTERFACE_ATTRIBUTE void *__tsan_create_fiber(unsigned flags) {
  const uptr pc = GET_CALLER_PC();
  ThreadState *thr = cur_thread_init();
  if (LIKELY(!schedule_controlled) || !IsControlled(thr))
    return Create(thr, pc, flags);
  VisibleOperation visible(thr, pc, OperationKind::kFiber, nullptr);
  ScopedBlockSignals blocked(nullptr);
  return Create(thr, pc, flags);
}

SANITIZER_INTERFACE_ATTRIBUTE void __tsan_destroy_fiber(void *fiber) {
  const uptr pc = GET_CALLER_PC();
  ThreadState *thr = cur_thread_init();
  if (LIKELY(!schedule_controlled) || !IsControlled(thr))
    return FiberDestroy(thr, pc, static_cast<ThreadState *>(fiber));
  VisibleOperation visible(thr, pc, OperationKind::kFiber, fiber);
  ScopedBlockSignals blocked(nullptr);
  FiberDestroy(thr, pc, static_cast<ThreadState *>(fiber));
}

SANITIZER_INTERFACE_ATTRIBUTE void __tsan_switch_to_fiber(void *fiber, unsigned flags) {
  const uptr pc = GET_CALLER_PC();
  ThreadState *from = cur_thread_init();
  auto *to = static_cast<ThreadState *>(fiber);
  ProcessPendingSignals(from);
  if (LIKELY(!schedule_controlled) || !IsControlled(from)) {
    Switch(from, pc, to, flags);
  } else {
    VisibleOperation visible(from, pc, OperationKind::kFiber, fiber);
    Switch(from, pc, to, flags);
  }
  // One that has come since. The program's stack is still that of `from`.
  while (UNLIKELY(HasSignals(from))) {
    Switch(to, pc, from, FiberSwitchFlagNoSync);
    ProcessPendingSignals(from);
    Switch(from, pc, to, FiberSwitchFlagNoSync);
  }
}

} // extern "C"
