//===-- heddle_workers.cpp - Threads that are used again ------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_workers.h"

#include "heddle/rtl/heddle_cancel.h"
#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_robust.h"
#include "heddle/rtl/heddle_signal_stacks.h"
#include "heddle/rtl/heddle_thread_locals.h"
#include "heddle/rtl/heddle_weak_memory.h"
#include "sanitizer_common/sanitizer_linux.h"
#include "tsan_rtl.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>

using namespace __sanitizer;
using namespace __tsan;

extern "C" int __interceptor_pthread_create(void *handle, void *attributes,
                                            void *(*function)(void *), void *argument);
extern "C" int __interceptor_pthread_detach(void *handle);

namespace __heddle {

bool use_workers;

namespace {

// What a thread has released to another by starting it, or by ending.
class HandedClock {
public:
  void Release(ThreadState *thr) {
    SlotLocker locker(thr);
    thr->clock.ReleaseStore(&clock_);
    epoch_ = ctx->global_epoch;
    IncrementEpoch(thr);
  }
  void Acquire(ThreadState *thr) {
    SlotLocker locker(thr);
    if (clock_ && epoch_ == ctx->global_epoch)
      thr->clock.Acquire(clock_);
  }

private:
  VectorClock *clock_;
  uptr epoch_;
};

} // namespace

// All zero at first.
struct Worker {
  Worker *next;
  ThreadState *thr;
  uptr handle;
  StartRoutine start;
  void *result;
  HandedClock begun, ended;
  ThreadLocalDestructors destructors;
  bool must_end; // it cannot be used again
  bool gone;     // it has ended for real
  bool detached;
  Seat seat; // where it waits for the next function
  atomic_uint32_t has_start;
};

namespace {

// By the threads that have the turn, or between executions.
Worker *idle, *busy;

static THREADLOCAL Worker *current __attribute__((tls_model("initial-exec")));

Worker *FindBusy(const ControlledThread *thread) {
  for (Worker *worker = busy; worker; worker = worker->next)
    if (worker->start.thread == thread)
      return worker;
  return nullptr;
}

void AwaitStart(Worker *worker) {
  for (;;) {
    worker->seat.Prepare();
    if (atomic_load(&worker->has_start, memory_order_acquire)) {
      worker->seat.Cancel();
      break;
    }
    worker->seat.Sleep(-1);
  }
  atomic_store_relaxed(&worker->has_start, 0);
}

// Reports leave out the last frame of a stack if it has this name.
__attribute__((used)) void *RunWorker(void *argument) __asm__("__tsan_thread_start_func");
void *RunWorker(void *argument) {
  auto *worker = static_cast<Worker *>(argument);
  ThreadState *thr = cur_thread();
  AwaitEndOfThread();
  worker->thr = thr;
  current = worker;
  uptr *const shadow_stack = thr->shadow_stack_pos;
  for (;;) {
    ThreadBegins(thr, worker->start.thread, worker->start.signals);
    void *result = worker->start.function(worker->start.argument);
    worker->result = result;
    IgnoreCancel(thr);
    worker->destructors.Call();
    if (worker->must_end || HoldsRobust()) // so they have decided, or the system is to take them
      return result;
    thr->shadow_stack_pos = shadow_stack;
    ThreadIsAboutToEnd(thr);
    worker->ended.Release(thr);
    ThreadEnds(thr);
    EndWeakThread(thr);
    thr->heddle.Dismiss();
    AwaitStart(worker);
    worker->begun.Acquire(thr);
    void *const signal_stack = OwnSignalStack();
    ResetThreadLocals();
    current = worker;
    ResetSignalStack(signal_stack);
    errno = 0;
  }
}

} // namespace

uptr StartWorker(ThreadState *creator, uptr pc, const StartRoutine &start, int *error) {
  *error = 0;
  if (Worker *worker = idle) {
    idle = worker->next;
    worker->next = busy;
    busy = worker;
    worker->start = start;
    worker->begun.Release(creator);
    ThreadContext *context = worker->thr->tctx;
    context->creation_stack_id = CurrentStackId(creator, pc);
    context->parent_tid = creator->tid;
    atomic_store(&worker->has_start, 1, memory_order_release);
    worker->seat.Wake();
    return worker->handle;
  }
  auto *worker = static_cast<Worker *>(Alloc(sizeof(Worker)));
  internal_memset(worker, 0, sizeof(*worker));
  worker->start = start;
  *error = __interceptor_pthread_create(&worker->handle, nullptr, RunWorker, worker);
  if (*error) {
    Free(worker);
    return 0;
  }
  worker->next = busy;
  busy = worker;
  return worker->handle;
}

bool DetachWorker(const ControlledThread *thread) {
  Worker *worker = FindBusy(thread);
  if (worker)
    worker->detached = true;
  return worker;
}

Worker *EndedWorker(const ControlledThread *thread) {
  Worker *worker = FindBusy(thread);
  return worker && !worker->gone ? worker : nullptr;
}

void *JoinWorker(ThreadState *thr, Worker *worker) {
  worker->ended.Acquire(thr);
  return worker->result;
}

void WorkerIsGone() {
  if (current)
    current->gone = true;
}

void CallWorkersDestructors() {
  if (current)
    current->destructors.Call();
}

void RecallWorkers(ThreadState *thr) {
  // In the order of their creation, so that the next execution has them in the same.
  Worker *recalled = idle;
  while (Worker *worker = busy) {
    busy = worker->next;
    if (worker->gone) {
      if (worker->detached)
        __interceptor_pthread_detach(reinterpret_cast<void *>(worker->handle));
      Free(worker);
      continue;
    }
    worker->ended.Acquire(thr);
    worker->detached = false;
    worker->next = recalled;
    recalled = worker;
  }
  idle = recalled;
}

void ForgetWorkers() { idle = busy = nullptr; }

} // namespace __heddle

using namespace __heddle;

// Its destructors are called at the end of the thread, by libc.
HEDDLE_NEW_INTERCEPTOR(int, pthread_setspecific, (unsigned key, const void *value), (key, value)) {
  if (UNLIKELY(use_workers) && current && value)
    current->must_end = true;
  return __interceptor_pthread_setspecific(key, value);
}

HEDDLE_NEW_INTERCEPTOR(int, __cxa_thread_atexit_impl,
                       (void (*destructor)(void *), void *object, void *library),
                       (destructor, object, library)) {
  if (LIKELY(!current) || current->must_end)
    return __interceptor___cxa_thread_atexit_impl(destructor, object, library);
  current->destructors.Add(destructor, object);
  return 0;
}
