//===-- heddle_cancel.h - Cancellation under a schedule -------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread acts on its cancellation at a cancellation point. Those that libc waits
// in do so by themselves; one that is an operation of the schedule is written
//
//   VisibleOperation visible(...);
//   if (!CancelRequested(thr) && <it would have to wait>)
//     outcome = BlockCancellable(visible, thr, wait);
//   if (CancelRequested(thr)) {
//     visible.End();
//     <what the function owes to those who clean up: a condition's mutex>
//     ActOnCancel(si);
//   }
//
// or, where the scope of the interceptor can be left first,
//
//   int result;
//   do {
//     HEDDLE_CONTROLLED(sem_wait, semaphore);
//     result = ... // ECANCELED if visible.Cancelled()
//   } while (result == ECANCELED && SurvivesCancellation());
//
// Whoever cancels a thread wakes it from its wait, with Outcome::kInterrupted.
//
// The thread is unwound with no destructor of the runtime called: what it holds of
// ours must be given back before.
//
// A thread whose cancellation is asynchronous is cancelled at the end of its next operation, or of
// the one in which it waits: all of them are cancellation points (AsyncCancelPoint). To libc its
// type is deferred, so that no signal unwinds it in the middle of what the runtime does; but for
// calls in which it is away, where libc does it. One that computes, and does not come to an
// operation, is told to end where it is when it has had a time slice of the processor's time; if it
// is not cancelled yet, it is away for the others (Control::ComputesForSlice).
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_CANCEL_H
#define HEDDLE_RTL_CANCEL_H

#include "heddle/rtl/heddle_interceptors.h"

namespace __heddle {

// Whether the thread has been cancelled, and allows that. Within an operation.
bool CancelRequested(__tsan::ThreadState *thr);

// VisibleOperation::Block, where the wait is a cancellation point.
Outcome BlockCancellable(VisibleOperation &visible, __tsan::ThreadState *thr, const WaitFor &wait);

// Ends the thread, outside of any operation. `si` is the only scope of an
// interceptor that is open.
[[noreturn]] void ActOnCancel(__tsan::ScopedInterceptor &si);

// Ends a thread that has been cancelled, outside of all that is ours. Returns true if
// it does not: it is about to end already, and runs its cleanup handlers.
bool SurvivesCancellation();

// For a call to libc that is a cancellation point within an operation, where the
// thread must not be unwound.
class CancelDisabled {
public:
  // Nobody else cancels a thread that is in an operation: if it is not cancelled already, there is
  // nothing to disable, and `needed` may be CancelRequested().
  explicit CancelDisabled(bool needed = true);
  ~CancelDisabled();
  CancelDisabled(const CancelDisabled &) = delete;
  CancelDisabled &operator=(const CancelDisabled &) = delete;

private:
  const bool needed_;
  int state_;
};

// Whether the thread, which calls this, is to be cancelled at once. Within an operation.
bool AsyncCancelIsDue(const ControlledThread *thread);
// Whether it was so at the end of its last operation: then the interceptor is to return, which
// ends the thread.
bool EndsByAsyncCancel(__tsan::ThreadState *thr);

// Meanwhile it is not.
class AsyncCancelOff {
public:
  explicit AsyncCancelOff(__tsan::ThreadState *thr);
  ~AsyncCancelOff();
  AsyncCancelOff(const AsyncCancelOff &) = delete;
  AsyncCancelOff &operator=(const AsyncCancelOff &) = delete;

private:
  ControlledThread *const thread_;
  bool was_async_ = false;
};

// A call of libc away from the schedule, which is to end if the thread is cancelled. In
// CallCancellable().
class AsyncCancelInCall {
public:
  explicit AsyncCancelInCall(ControlledThread *thread); // may be null
  ~AsyncCancelInCall();
  AsyncCancelInCall(const AsyncCancelInCall &) = delete;
  AsyncCancelInCall &operator=(const AsyncCancelInCall &) = delete;

private:
  bool is_async_;
};

// In a signal handler of the runtime's, which has interrupted the thread wherever it was: ends it
// if that was in code of the program.
void CancelWhereItIs(ControlledThread *thread, void *context);

// The thread ends, and is not cancelled any more.
void IgnoreCancel(__tsan::ThreadState *thr);

// Calls `call`, in which libc may cancel the thread: then the thread's state is as it
// was before, except that it ends.
void CallCancellable(__tsan::ThreadState *thr, void (*call)(void *), void *argument);

template <class Call> auto CallCancellable(__tsan::ThreadState *thr, Call call) {
  struct Context {
    Call &call;
    decltype(call()) result;
  } context = {call, {}};
  CallCancellable(
      thr,
      [](void *argument) {
        auto *context = static_cast<Context *>(argument);
        context->result = context->call();
      },
      &context);
  return context.result;
}

} // namespace __heddle

#endif // HEDDLE_RTL_CANCEL_H
