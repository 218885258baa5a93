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
#include "heddle/rtl/heddle_whereabouts.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unwind.h>

using namespace __sanitizer;
using namespace __tsan;
using namespace __heddle;

DECLARE_REAL(int, pthread_setcancelstate, int state, int *old)
DECLARE_REAL(int, pthread_setcanceltype, int type, int *old)

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

bool async_cancels;

bool AsyncCancelIsDue(const ControlledThread *thread) {
  return thread->cancelled && thread->async && !thread->ending && CancelEnabled();
}

// With the turn: when it has been handed over another thread may cancel this one.
void Control::LookForCancel(ControlledThread *thread) {
  thread->cancel_due = AsyncCancelIsDue(thread);
}

bool EndsByAsyncCancel(ThreadState *thr) {
  const ControlledThread *thread = thr->heddle.Controlled();
  return thread && thread->cancel_due && !thread->ending && !thread->inside;
}

void ActOnAsyncCancel(ThreadState *thr) {
  if (LIKELY(!EndsByAsyncCancel(thr)))
    return;
  ControlledThread *thread = thr->heddle.Controlled();
  thread->ending = true;
  __interceptor_pthread_testcancel();
}

void VisibleOperation::FinishAtomic() {
  ThreadState *thr = thread_->thr;
  Finish();
  if (UNLIKELY(async_cancels))
    ActOnAsyncCancel(thr);
}

AsyncCancelOff::AsyncCancelOff(ThreadState *thr) : thread_(thr->heddle.Controlled()) {
  if (!thread_)
    return;
  was_async_ = thread_->async;
  thread_->async = false;
}
AsyncCancelOff::~AsyncCancelOff() {
  if (thread_)
    thread_->async = was_async_;
}

// It may be cancelled already: then it does not come back from here.
AsyncCancelInCall::AsyncCancelInCall(ControlledThread *thread)
    : is_async_(thread && thread->async && !thread->ending && !thread->inside &&
                thread->calls_away) {
  if (is_async_)
    REAL(pthread_setcanceltype)(PTHREAD_CANCEL_ASYNCHRONOUS, nullptr);
}
AsyncCancelInCall::~AsyncCancelInCall() {
  if (is_async_)
    REAL(pthread_setcanceltype)(PTHREAD_CANCEL_DEFERRED, nullptr);
}

void CancelWhereItIs(ControlledThread *thread, void *context) {
  ThreadState *thr = thread->thr;
  if (thread->busy || thread->calls_away || !thr || thr->ignore_interceptors ||
      thr->in_symbolizer || !AsyncCancelIsDue(thread))
    return;
  thread->ending = true;
  // What was blocked before the handler, which does not return.
  KernelCall(SYS_rt_sigprocmask, SIG_SETMASK, &static_cast<ucontext_t *>(context)->uc_sigmask,
             nullptr, sizeof(u64));
  __interceptor_pthread_testcancel();
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
    if (thread->async && !thread->cancelled)
      thread->cancelled_at = ProcessorTimeOf(thread);
    thread->cancelled = true;
    control->scheduler().Interrupt(thread->id);
  }
  // Itself it may cancel at once.
  if (thread == thr->heddle.Controlled())
    visible.End();
  const int result = __interceptor_pthread_cancel(handle);
  // It computes, and is away for that.
  if (thread && thread->async && !thread->gone && atomic_load_relaxed(&thread->away))
    TellToEnd(thread);
  return result;
}

// See heddle_cancel.h.
HEDDLE_INTERCEPTOR(int, pthread_setcanceltype, int type, int *old) {
  HEDDLE_CONTROLLED(pthread_setcanceltype, type, old);
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
    return EINVAL;
  ControlledThread *thread = thr->heddle.Controlled();
  {
    VisibleOperation visible(thr, pc, OperationKind::kThreadCancel, nullptr);
    visible.Unproductive();
    if (old)
      *old = thread->async ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
    thread->async = type == PTHREAD_CANCEL_ASYNCHRONOUS;
    async_cancels = async_cancels || thread->async;
  }
  if (old)
    MemoryAccessRange(thr, pc, reinterpret_cast<uptr>(old), sizeof(*old), true);
  return 0;
}

// Nobody can tell when a thread does so that is cancelled at cancellation points only.
HEDDLE_INTERCEPTOR(int, pthread_setcancelstate, int state, int *old) {
  HEDDLE_CONTROLLED(pthread_setcancelstate, state, old);
  ControlledThread *thread = thr->heddle.Controlled();
  if (LIKELY(!thread->async))
    return __interceptor_pthread_setcancelstate(state, old);
  VisibleOperation visible(thr, pc, OperationKind::kThreadCancel, nullptr);
  visible.Unproductive();
  return __interceptor_pthread_setcancelstate(state, old);
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
