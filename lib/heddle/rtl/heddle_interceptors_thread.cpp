//===-- heddle_interceptors_thread.cpp - The life of threads --------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread is controlled from its first instruction to the last but one round of
// its thread-specific destructors; upstream takes its state down in the last. The
// main thread is so too if it ends by itself: when it returns from main, the
// process ends, and no such destructor is called.
//
// Who joins a thread waits in the scheduler until it has ended there. What is left of
// it then takes no other thread's turn, so the rest of the join can be waited for.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_cancel.h"
#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_fork_server.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_layout.h"
#include "heddle/rtl/heddle_robust.h"
#include "heddle/rtl/heddle_time.h"
#include "heddle/rtl/heddle_weak_memory.h"
#include "heddle/rtl/heddle_workers.h"
#include "sanitizer_common/sanitizer_linux.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>

using namespace __sanitizer;
using namespace __tsan;
using namespace __heddle;

DECLARE_REAL(int, pthread_join, void *handle, void **result)
DECLARE_REAL(int, pthread_attr_getdetachstate, void *attributes, int *state)

namespace {

pthread_key_t end_key;

// Called in each round of destructors: the end is when few are left.
void EndOfThread(void *rounds) {
  CallWorkersDestructors();
  if (uptr left = reinterpret_cast<uptr>(rounds) - 1) {
    ScopedIgnoreInterceptors ignore;
    pthread_setspecific(end_key, reinterpret_cast<void *>(left));
    return;
  }
  WorkerIsGone();
  ReleaseRobust(cur_thread());
  // libc does so for the last thread, but would count upstream's background thread.
  if (!ThreadEnds(cur_thread()))
    exit(0);
}

// Reports leave out the last frame of a stack if it has this name.
__attribute__((used)) void *RunThread(void *argument) __asm__("__tsan_thread_start_func");
void *RunThread(void *argument) {
  StartRoutine start = *static_cast<StartRoutine *>(argument);
  Free(argument);
  ThreadState *thr = cur_thread();
  AwaitEndOfThread();
  ThreadBegins(thr, start.thread, start.signals);
  void *result = start.function(start.argument);
  IgnoreCancel(thr);
  return result;
}

// Meanwhile threads are created with signals blocked: see ThreadBegins. `own` becomes what the new
// thread is to have blocked: what its creator has, unless the attributes say otherwise.
class SignalsOfNewThread {
public:
  SignalsOfNewThread(void *attributes, __sanitizer_sigset_t *own)
      : attributes_(static_cast<pthread_attr_t *>(attributes)), blocked_(&before_) {
    *own = before_;
    if (!attributes_ || pthread_attr_getsigmask_np(attributes_, &of_attributes_)) {
      attributes_ = nullptr;
      return;
    }
    internal_memcpy(own, &of_attributes_, sizeof(*own));
    sigset_t blocked;
    sigemptyset(&blocked);
    KernelCall(SYS_rt_sigprocmask, SIG_SETMASK, nullptr, &blocked, sizeof(u64));
    pthread_attr_setsigmask_np(attributes_, &blocked);
  }
  ~SignalsOfNewThread() {
    if (attributes_)
      pthread_attr_setsigmask_np(attributes_, &of_attributes_);
  }

private:
  pthread_attr_t *attributes_; // that have a mask; or null
  sigset_t of_attributes_;
  __sanitizer_sigset_t before_;
  ScopedBlockSignals blocked_;
};

// A time limit for a join: none, now, or a time on a clock.
struct Limit {
  enum Kind : u8 { kNone, kNow, kTime } kind;
  int clock;
  const timespec *time;

  bool IsValid() const {
    return kind != kTime || (time->tv_nsec >= 0 && time->tv_nsec < 1000000000);
  }
  u64 Deadline() const { return kind == kTime ? DeadlineOf(clock, time) : WaitFor::kNoDeadline; }
};

int Join(ThreadState *thr, ScopedInterceptor &si, uptr pc, void *handle, void **result,
         const Limit &limit);

} // namespace

namespace __heddle {

void AwaitEndOfThread() {
  ScopedIgnoreInterceptors ignore;
  pthread_setspecific(end_key, reinterpret_cast<void *>(GetPthreadDestructorIterations() - 1));
}

void InstallThreadHandlers(ControlledThread *main) {
  static bool has_key;
  if (!has_key)
    pthread_key_create(&end_key, EndOfThread);
  has_key = true;
  AwaitEndOfThread();
  SetHandle(main, pthread_self(), /*detached=*/false);
}

} // namespace __heddle

HEDDLE_INTERCEPTOR(int, pthread_create, void *handle, void *attributes, void *(*function)(void *),
                   void *argument) {
  MaybeServeExecutions();
  HEDDLE_CONTROLLED(pthread_create, handle, attributes, function, argument);
  int detached = PTHREAD_CREATE_JOINABLE;
  if (attributes)
    REAL(pthread_attr_getdetachstate)(attributes, &detached);
  VisibleOperation visible(thr, pc, OperationKind::kThreadCreate, nullptr);
  AwaitStacks();
  ControlledThread *thread = NewThread(thr, visible);
  StartRoutine routine = {function, argument, thread, {}};
  SignalsOfNewThread signals(attributes, &routine.signals);
  if (UNLIKELY(use_workers) && !attributes) {
    int error;
    const uptr worker = StartWorker(thr, pc, routine, &error);
    if (error) {
      DiscardThread(thread);
      return error;
    }
    SetHandle(thread, worker, /*detached=*/false);
    *static_cast<uptr *>(handle) = worker;
    return 0;
  }
  auto *start = static_cast<StartRoutine *>(Alloc(sizeof(StartRoutine)));
  *start = routine;
  int result = __interceptor_pthread_create(handle, attributes, RunThread, start);
  if (result == 0) {
    SetHandle(thread, *static_cast<uptr *>(handle), detached == PTHREAD_CREATE_DETACHED);
  } else {
    DiscardThread(thread);
    Free(start);
  }
  return result;
}

HEDDLE_INTERCEPTOR(int, pthread_join, void *handle, void **result) {
  if (UNLIKELY(weak_memory) && !schedule_controlled) {
    ThreadState *thr = cur_thread_init();
    WeakThreadJoins(thr, reinterpret_cast<uptr>(handle));
    int error = __interceptor_pthread_join(handle, result);
    WeakThreadJoins(thr, 0);
    return error;
  }
  HEDDLE_CONTROLLED(pthread_join, handle, result);
  return Join(thr, si, pc, handle, result, {Limit::kNone});
}

HEDDLE_INTERCEPTOR(int, pthread_tryjoin_np, void *handle, void **result) {
  HEDDLE_CONTROLLED(pthread_tryjoin_np, handle, result);
  return Join(thr, si, pc, handle, result, {Limit::kNow});
}

HEDDLE_INTERCEPTOR(int, pthread_timedjoin_np, void *handle, void **result, const timespec *time) {
  HEDDLE_CONTROLLED(pthread_timedjoin_np, handle, result, time);
  return Join(thr, si, pc, handle, result,
              {time ? Limit::kTime : Limit::kNone, CLOCK_REALTIME, time});
}

// Upstream does not know it, and would not know of the join.
HEDDLE_WEAK_FUNCTION(int, pthread_clockjoin_np,
                     (void *handle, void **result, int clock, const timespec *time)) {
  static atomic_uintptr_t real;
  ThreadState *thr = cur_thread_init();
  ScopedInterceptor si(thr, "pthread_clockjoin_np", GET_CALLER_PC());
  const uptr pc = GET_CURRENT_PC();
  if (schedule_controlled && IsControlled(thr))
    return Join(thr, si, pc, handle, result, {time ? Limit::kTime : Limit::kNone, clock, time});
  Tid tid = ThreadConsumeTid(thr, pc, reinterpret_cast<uptr>(handle));
  ThreadIgnoreBegin(thr, pc);
  int error = reinterpret_cast<int (*)(void *, void **, int, const timespec *)>(
      FindReal("pthread_clockjoin_np", real))(handle, result, clock, time);
  ThreadIgnoreEnd(thr);
  if (error == 0)
    ThreadJoin(thr, pc, tid);
  else
    ThreadNotJoined(thr, pc, tid, reinterpret_cast<uptr>(handle));
  return error;
}

HEDDLE_INTERCEPTOR(int, pthread_detach, void *handle) {
  HEDDLE_CONTROLLED(pthread_detach, handle);
  VisibleOperation visible(thr, pc, OperationKind::kThreadDetach, nullptr);
  AwaitStacks();
  if (ControlledThread *thread = FindThread(reinterpret_cast<uptr>(handle))) {
    if (IsDetached(thread))
      return EINVAL;
    SetDetached(thread);
    if (DetachWorker(thread))
      return 0;
  }
  return __interceptor_pthread_detach(handle);
}

HEDDLE_INTERCEPTOR(void, pthread_exit, void *result) {
  if (UNLIKELY(schedule_controlled))
    IgnoreCancel(cur_thread_init());
  __interceptor_pthread_exit(result);
}

namespace {

int Join(ThreadState *thr, ScopedInterceptor &si, uptr pc, void *handle, void **result,
         const Limit &limit) {
  ControlledThread *thread = FindThread(reinterpret_cast<uptr>(handle));
  const uptr object = thread ? uptr(IdOf(thread)) + 1 : 0;
  if (!thread)
    return __interceptor_pthread_join(handle, result);
  if (thread == ControlledOf(thr))
    return EDEADLK;
  for (;;) {
    VisibleOperation visible(thr, pc, OperationKind::kThreadJoin,
                             reinterpret_cast<const void *>(object));
    if (IsDetached(thread))
      return EINVAL;
    Outcome outcome = Outcome::kWoken;
    if (!HasEnded(thread)) {
      visible.Unproductive();
      if (limit.kind == Limit::kNow)
        return EBUSY;
      if (!limit.IsValid())
        return EINVAL;
      outcome = Outcome::kInterrupted;
      if (!CancelRequested(thr)) {
        WaitFor wait;
        wait.kind = WaitKind::kThread;
        wait.object = object;
        wait.deadline = limit.Deadline();
        if (limit.kind == Limit::kNone)
          Await(thr, thread);
        outcome = BlockCancellable(visible, thr, wait);
        Await(thr, nullptr);
      }
    }
    if (outcome == Outcome::kTimedOut)
      return ETIMEDOUT;
    if (outcome == Outcome::kInterrupted) {
      const bool cancelled = CancelRequested(thr);
      visible.End();
      if (cancelled)
        ActOnCancel(si);
      HandleSignals(thr);
      continue;
    }
    // That it is not joined twice is up to the program.
    ForgetHandle(thread);
    if (Worker *worker = EndedWorker(thread)) {
      void *returned = JoinWorker(thr, worker);
      if (result)
        *result = returned;
      return 0;
    }
    AwaitStacks();
    CancelDisabled disabled;
    // Upstream cannot join the main thread.
    if (IdOf(thread) == 0)
      return REAL(pthread_join)(handle, result);
    return __interceptor_pthread_join(handle, result);
  }
}

} // namespace
