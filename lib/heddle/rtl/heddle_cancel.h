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
// ours must be given back before. Asynchronous cancellation is left to libc, which
// does it at once: it is safe only in code that does not call anything.
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
