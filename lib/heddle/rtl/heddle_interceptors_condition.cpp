//===-- heddle_interceptors_condition.cpp - Condition variables ---------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Controlled threads never wait for the real condition variable. A wait is one
// operation, which unlocks the mutex and blocks the thread, and then a lock like any
// other. Whom a signal wakes, and whether a wait ends without one, are choices.
//
// A wait that a signal handler interrupts ends like a spurious one, which POSIX
// permits: were the thread to wait again it would have missed what came meanwhile.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_cancel.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_mutex.h"
#include "heddle/rtl/heddle_shared_memory.h"
#include "heddle/rtl/heddle_time.h"
#include "sanitizer_common/sanitizer_flags.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

using namespace __sanitizer;
using namespace __tsan;
using namespace __heddle;

DECLARE_REAL(int, pthread_cond_signal, void *condition)
DECLARE_REAL(int, pthread_cond_broadcast, void *condition)

namespace {

// What pthread_cond_init was told, as glibc keeps it; for legacy_pthread_cond=1 the
// condition is elsewhere, and has the attributes of long ago.
unsigned AttributesOf(void *condition) {
  return common_flags()->legacy_pthread_cond
             ? 0
             : static_cast<pthread_cond_t *>(condition)->__data.__wrefs;
}
// Whether other processes may signal it, which are not in the schedule.
bool OthersMaySignal(void *condition) {
  return SaysShared(condition, AttributesOf(condition) & 1) && IsAway(condition);
}
int ClockOf(void *condition) {
  return AttributesOf(condition) & 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

void ReadCondition(ThreadState *thr, uptr pc, void *condition) {
  MemoryAccessRange(thr, pc, reinterpret_cast<uptr>(condition), sizeof(uptr), false);
}

int Wait(ThreadState *thr, uptr pc, void *condition, void *mutex, TimeLimit limit = TimeLimit()) {
  if (!limit.Valid())
    return EINVAL;
  ReadCondition(thr, pc, condition);
  Outcome outcome;
  bool cancelled;
  {
    VisibleOperation visible(thr, pc, OperationKind::kCondWait, condition);
    if (visible.Cancelled())
      return ECANCELED; // with the mutex locked, as it must be
    if (int error = UnlockControlled(thr, pc, visible, mutex))
      return error;
    WaitFor wait;
    wait.kind = WaitKind::kCondition;
    wait.object = reinterpret_cast<uptr>(condition);
    wait.may_be_spurious = true;
    wait.deadline = limit.Deadline();
    outcome = visible.Block(wait);
    // Who has been woken may not let that get lost, and is cancelled the next time.
    cancelled = outcome == Outcome::kInterrupted && visible.Cancelled();
  }
  if (outcome == Outcome::kInterrupted)
    HandleSignals(thr);
  // Who cleans up after a cancellation finds the mutex locked.
  AsyncCancelOff off(thr);
  int error = LockControlled(thr, pc, mutex);
  if (cancelled)
    return ECANCELED;
  if (error)
    return error;
  return outcome == Outcome::kTimedOut ? ETIMEDOUT : 0;
}

// Other processes may signal: the real condition is waited for, outside of the
// schedule. The mutex will be free then.
template <class RealWait>
int WaitAway(ThreadState *thr, uptr pc, void *condition, void *mutex, const RealWait &real_wait) {
  {
    VisibleOperation visible(thr, pc, OperationKind::kCondWait, condition);
    visible.LetGo(mutex);
    visible.WakeAll(WaitKind::kMutex, mutex);
  }
  int result = real_wait();
  VisibleOperation visible(thr, pc, OperationKind::kLock, mutex);
  visible.Hold(mutex);
  return result;
}

// Ends the thread if it is cancelled. It may be ending already; then the wait was
// a spurious one.
int AfterWait(int result) { return result == ECANCELED && SurvivesCancellation() ? 0 : result; }

} // namespace

HEDDLE_INTERCEPTOR(int, pthread_cond_wait, void *condition, void *mutex) {
  int result;
  {
    HEDDLE_CONTROLLED(pthread_cond_wait, condition, mutex);
    if (OthersMaySignal(condition))
      return WaitAway(thr, pc, condition, mutex,
                      [&] { return __interceptor_pthread_cond_wait(condition, mutex); });
    result = Wait(thr, pc, condition, mutex);
  }
  return AfterWait(result);
}

HEDDLE_INTERCEPTOR(int, pthread_cond_timedwait, void *condition, void *mutex, void *abstime) {
  int result;
  {
    HEDDLE_CONTROLLED(pthread_cond_timedwait, condition, mutex, abstime);
    if (OthersMaySignal(condition))
      return WaitAway(thr, pc, condition, mutex, [&] {
        return __interceptor_pthread_cond_timedwait(condition, mutex, abstime);
      });
    result = Wait(thr, pc, condition, mutex, TimeLimit(ClockOf(condition), abstime));
  }
  return AfterWait(result);
}

HEDDLE_INTERCEPTOR(int, pthread_cond_clockwait, void *condition, void *mutex, int clock,
                   void *abstime) {
  int result;
  {
    HEDDLE_CONTROLLED(pthread_cond_clockwait, condition, mutex, clock, abstime);
    if (OthersMaySignal(condition))
      return WaitAway(thr, pc, condition, mutex, [&] {
        return __interceptor_pthread_cond_clockwait(condition, mutex, clock, abstime);
      });
    result = Wait(thr, pc, condition, mutex, TimeLimit(clock, abstime));
  }
  return AfterWait(result);
}

// The real functions are for threads that are not controlled.

HEDDLE_INTERCEPTOR(int, pthread_cond_signal, void *condition) {
  HEDDLE_CONTROLLED(pthread_cond_signal, condition);
  ReadCondition(thr, pc, condition);
  VisibleOperation visible(thr, pc, OperationKind::kCondSignal, condition);
  if (visible.WakeOne(WaitKind::kCondition, condition) || common_flags()->legacy_pthread_cond)
    return 0;
  return REAL(pthread_cond_signal)(condition);
}

HEDDLE_INTERCEPTOR(int, pthread_cond_broadcast, void *condition) {
  HEDDLE_CONTROLLED(pthread_cond_broadcast, condition);
  ReadCondition(thr, pc, condition);
  VisibleOperation visible(thr, pc, OperationKind::kCondBroadcast, condition);
  visible.WakeAll(WaitKind::kCondition, condition);
  return common_flags()->legacy_pthread_cond ? 0 : REAL(pthread_cond_broadcast)(condition);
}
