//===-- heddle_workers.h - Threads that are used again --------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// To create and join a kernel thread, with its shadow, takes longer than most executions of
// heddle::Explore. So a thread of the body that has ended waits for the next execution, and
// is a new thread there: to the schedule, to the memory model and to the program. To
// ThreadSanitizer it is the same one. That it is ordered with what its last function did
// shows in no report: all of an execution happens before the next. Within one execution
// none is used twice.
//
// Its thread-local variables are made anew, and those with destructors destroyed at the
// end of the function. A thread that is created with attributes, sets a value with
// pthread_setspecific, calls pthread_exit, is cancelled or ends with robust mutexes ends like any
// other.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_WORKERS_H
#define HEDDLE_RTL_WORKERS_H

#include "heddle/rtl/heddle_control.h"
#include "sanitizer_common/sanitizer_platform_limits_posix.h"

namespace __heddle {

struct Worker;

// A function to run in a controlled thread.
struct StartRoutine {
  void *(*function)(void *);
  void *argument;
  ControlledThread *thread;
  __sanitizer::__sanitizer_sigset_t signals; // blocked when it has begun
};

// Whether threads are to be used again: between executions it is to be false.
extern bool use_workers;

// By the creator, within a VisibleOperation, with no attributes. Returns the thread's handle, or
// 0 if it could not be created; then `error` says why.
uptr StartWorker(__tsan::ThreadState *creator, uptr pc, const StartRoutine &start, int *error);

// Of a thread that has ended in the schedule; null if it is or was none of these, and is to be
// joined for real. The caller acquires what the thread has released.
Worker *EndedWorker(const ControlledThread *thread);
void *JoinWorker(__tsan::ThreadState *thr, Worker *worker);
// False if it is none of these.
bool DetachWorker(const ControlledThread *thread);

// The current thread ends for real: to be called in the first and in the last round of destructors.
void CallWorkersDestructors();
void WorkerIsGone();

// All threads of an execution have ended: they may be used in the next. The caller knows what
// they did.
void RecallWorkers(__tsan::ThreadState *thr);
// In the child of a fork there are none.
void ForgetWorkers();

// From heddle_interceptors_thread.cpp: what a thread does first.
void AwaitEndOfThread();

} // namespace __heddle

#endif // HEDDLE_RTL_WORKERS_H
