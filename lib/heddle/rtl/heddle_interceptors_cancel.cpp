//===-- heddle_interceptors_cancel.cpp - Cancellation ---------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See heddle_cancel.h. That a thread is cancelled is noted twice: by libc, for calls
// that wait in the kernel, and in ControlledThread, so that what a thread sees of it
// depends on the schedule only.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_cancel.h"
#include "heddle/rtl/heddle_input.h"

#include <errno.h>
#include <pthread.h>
#include <unwind.h>

using namespace __sanitizer;
using namespace __tsan;
using namespace __heddle;

DECLARE_REAL(int, pthread_setcancelstate, int state, int *old)

extern "C" void __interceptor_pthread_testcancel();

namespace __tsan {
int call_pthread_cancel_with_cleanup(int (*fn)(void *arg), void (*cleanup)(void *arg), void *arg);
}

namespace {

// Only the thread itself can find out, by changing it.
bool CancelEnabled() {
  int state = PTHREAD_CANCEL_DISABLE;
  REAL(pthread_setcancelstate)(PTHREAD_CANCEL_DISABLE, &state);
  if (state == PTHREAD_CANCEL_ENABLE)
    REAL(pthread_setcancelstate)(PTHREAD_CANCEL_ENABLE, nullptr);
  return state == PTHREAD_CANCEL_ENABLE;
}

// The state of a thread that a call changes, and would not change back if the
// thread is cancelled there.
struct Call {
  ThreadState *thr;
  void (*call)(void *);
  void *argument;
  int ignore_interceptors, ignore_reads_and_writes;
  const uptr *stack;
};

int Run(void *argument) {
  auto *call = static_cast<Call *>(argument);
  call->call(call->argument);
  return 0;
}

void Undo(void *argument) {
  const auto *call = static_cast<Call *>(argument);
  ThreadState *thr = call->thr;
  CallIsCancelled(thr->heddle.Controlled());
  atomic_store(&thr->in_blocking_func, 0, memory_order_relaxed);
  thr->ignore_interceptors = call->ignore_interceptors;
  while (thr->ignore_reads_and_writes > call->ignore_reads_and_writes)
    ThreadIgnoreEnd(thr);
  while (thr->shadow_stack_pos > call->stack)
    FuncExit(thr);
  ControlledThread *thread = thr->heddle.Controlled();
  thread->ending = true;
  if (thread->calls_away) {
    thread->calls_away = 0;
    control->Return(thread);
  }
}

// What unwinds stacks sets itself up the first time, with pthread_once. In a thread that is
// cancelled in a call that would be an operation, of one that is away.
void PrepareToUnwind() {
  _Unwind_Backtrace([](_Unwind_Context *, void *) { return _URC_NORMAL_STOP; }, nullptr);
}

} // namespace

namespace __heddle {

bool CancelRequested(ThreadState *thr) {
  const ControlledThread *thread = thr->heddle.Controlled();
  return thread && thread->cancelled && !thread->ending && CancelEnabled();
}

Outcome BlockCancellable(VisibleOperation &visible, ThreadState *thr, const WaitFor &wait) {
  return visible.Block(wait);
}

void ActOnCancel(ScopedInterceptor &si) {
  IgnoreCancel(cur_thread());
  si.~ScopedInterceptor();
  __interceptor_pthread_testcancel();
  CHECK(false && "the thread is not cancelled after all");
  Die();
}

bool SurvivesCancellation() {
  __interceptor_pthread_testcancel();
  return true;
}

CancelDisabled::CancelDisabled(bool needed) : needed_(needed) {
  if (needed)
    REAL(pthread_setcancelstate)(PTHREAD_CANCEL_DISABLE, &state_);
}
CancelDisabled::~CancelDisabled() {
  if (needed_)
    REAL(pthread_setcancelstate)(state_, nullptr);
}

void IgnoreCancel(ThreadState *thr) {
  if (ControlledThread *thread = thr->heddle.Controlled())
    thread->ending = true;
}

void CallCancellable(ThreadState *thr, void (*function)(void *), void *argument) {
  Call call = {thr,
               function,
               argument,
               thr->ignore_interceptors,
               thr->ignore_reads_and_writes,
               thr->shadow_stack_pos};
  call_pthread_cancel_with_cleanup(Run, Undo, &call);
}

} // namespace __heddle

HEDDLE_NEW_INTERCEPTOR(int, pthread_cancel, (void *handle), (handle)) {
  HEDDLE_CONTROLLED(pthread_cancel, handle);
  VisibleOperation visible(thr, pc, OperationKind::kThreadCancel, nullptr);
  ControlledThread *thread = FindThread(reinterpret_cast<uptr>(handle));
  if (thread && HasEnded(thread)) {
    visible.Unproductive();
    return 0;
  }
  PrepareToUnwind();
  if (thread) {
    thread->cancelled = true;
    control->scheduler().Interrupt(thread->id);
  }
  // Itself it may cancel at once.
  if (thread == thr->heddle.Controlled())
    visible.End();
  return __interceptor_pthread_cancel(handle);
}

HEDDLE_NEW_INTERCEPTOR(void, pthread_testcancel, (), ()) {
  HEDDLE_CONTROLLED(pthread_testcancel);
  VisibleOperation visible(thr, pc, OperationKind::kThreadCancel, nullptr);
  visible.Unproductive();
  const bool requested = CancelRequested(thr);
  visible.End();
  if (requested)
    ActOnCancel(si);
}
