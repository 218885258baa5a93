//===-- heddle_interceptors_semaphore.cpp - Semaphores ------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The real semaphore counts, and is only ever tried. One that other processes may
// post to is waited for outside of the schedule.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_attempts.h"
#include "heddle/rtl/heddle_cancel.h"

#include <errno.h>
#include <semaphore.h>
#include <time.h>

using namespace __sanitizer;
using namespace __tsan;
using namespace __heddle;

DECLARE_REAL(int, sem_trywait, __sanitizer_sem_t *semaphore)
DECLARE_REAL(int, sem_post, __sanitizer_sem_t *semaphore)
DECLARE_REAL(int, sem_getvalue, __sanitizer_sem_t *semaphore, int *value)

HEDDLE_REAL(int, sem_clockwait, (__sanitizer_sem_t * semaphore, int clock, void *abstime),
            (semaphore, clock, abstime))
extern "C" int __interceptor_sem_timedwait(__sanitizer_sem_t *semaphore, void *abstime);

namespace {

// As sem_init and sem_open have left it: glibc keeps that behind the 64 bits of
// the value and the number of waiters.
bool IsShared(const __sanitizer_sem_t *semaphore) {
  struct Layout {
    u64 value_and_waiters;
    int is_shared;
  };
  static_assert(sizeof(sem_t) >= sizeof(Layout) && sizeof(uptr) == 8, "not glibc's sem_t");
  return reinterpret_cast<const Layout *>(semaphore)->is_shared;
}

// Returns 0 or what errno is to be.
int Attempt(ThreadState *thr, uptr pc, __sanitizer_sem_t *semaphore) {
  if (REAL(sem_trywait)(semaphore) != 0)
    return errno == EAGAIN ? EBUSY : errno;
  Acquire(thr, pc, reinterpret_cast<uptr>(semaphore));
  return 0;
}

// And EBUSY if it would have to wait for another process.
int Wait(ThreadState *thr, uptr pc, __sanitizer_sem_t *semaphore, TimeLimit &limit) {
  Attempts attempts = {OperationKind::kSemWait, WaitKind::kSemaphore, semaphore, limit};
  attempts.may_be_shared = SaysShared(semaphore, IsShared(semaphore));
  attempts.interruptible = attempts.is_cancellation_point = true;
  int result =
      Perform(thr, pc, attempts, [&](VisibleOperation &) { return Attempt(thr, pc, semaphore); });
  limit = attempts.limit;
  return result;
}

int WaitAway(__sanitizer_sem_t *semaphore, const TimeLimit &limit) {
  timespec abstime;
  limit.OnSystemClock(&abstime);
  return __interceptor_sem_timedwait(semaphore, &abstime);
}

int SetErrno(int error) {
  if (!error)
    return 0;
  errno = error;
  return -1;
}

} // namespace

HEDDLE_INTERCEPTOR(int, sem_wait, __sanitizer_sem_t *semaphore) {
  int result;
  do {
    HEDDLE_CONTROLLED(sem_wait, semaphore);
    TimeLimit never;
    result = Wait(thr, pc, semaphore, never);
    if (result == EBUSY)
      return __interceptor_sem_wait(semaphore);
  } while (result == ECANCELED && SurvivesCancellation());
  return SetErrno(result);
}

HEDDLE_INTERCEPTOR(int, sem_timedwait, __sanitizer_sem_t *semaphore, void *abstime) {
  int result;
  do {
    HEDDLE_CONTROLLED(sem_timedwait, semaphore, abstime);
    MemoryAccessRange(thr, pc, reinterpret_cast<uptr>(abstime), sizeof(timespec), false);
    TimeLimit limit(CLOCK_REALTIME, abstime);
    result = Wait(thr, pc, semaphore, limit);
    if (result == EBUSY)
      return WaitAway(semaphore, limit);
  } while (result == ECANCELED && SurvivesCancellation());
  return SetErrno(result);
}

HEDDLE_INTERCEPTOR(int, sem_clockwait, __sanitizer_sem_t *semaphore, int clock, void *abstime) {
  int result;
  do {
    HEDDLE_CONTROLLED(sem_clockwait, semaphore, clock, abstime);
    MemoryAccessRange(thr, pc, reinterpret_cast<uptr>(abstime), sizeof(timespec), false);
    TimeLimit limit(clock, abstime);
    result = Wait(thr, pc, semaphore, limit);
    if (result == EBUSY)
      return WaitAway(semaphore, limit);
  } while (result == ECANCELED && SurvivesCancellation());
  return SetErrno(result);
}

HEDDLE_INTERCEPTOR(int, sem_trywait, __sanitizer_sem_t *semaphore) {
  HEDDLE_CONTROLLED(sem_trywait, semaphore);
  int result;
  {
    VisibleOperation visible(thr, pc, OperationKind::kSemTryWait, semaphore);
    result = Attempt(thr, pc, semaphore);
    if (result)
      visible.LoadedOnly(semaphore, result);
  }
  return SetErrno(result == EBUSY ? EAGAIN : result);
}

HEDDLE_INTERCEPTOR(int, sem_post, __sanitizer_sem_t *semaphore) {
  HEDDLE_CONTROLLED(sem_post, semaphore);
  VisibleOperation visible(thr, pc, OperationKind::kSemPost, semaphore);
  Release(thr, pc, reinterpret_cast<uptr>(semaphore));
  int result = REAL(sem_post)(semaphore);
  if (result == 0)
    visible.WakeOne(WaitKind::kSemaphore, semaphore);
  return result;
}

HEDDLE_INTERCEPTOR(int, sem_getvalue, __sanitizer_sem_t *semaphore, int *value) {
  HEDDLE_CONTROLLED(sem_getvalue, semaphore, value);
  int result;
  {
    VisibleOperation visible(thr, pc, OperationKind::kLoad, semaphore);
    result = REAL(sem_getvalue)(semaphore, value);
    if (result == 0) {
      visible.Loaded(semaphore, *value);
      Acquire(thr, pc, reinterpret_cast<uptr>(semaphore));
    }
  }
  if (result == 0)
    MemoryAccessRange(thr, pc, reinterpret_cast<uptr>(value), sizeof(*value), true);
  return result;
}
