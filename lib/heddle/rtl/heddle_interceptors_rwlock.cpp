//===-- heddle_interceptors_rwlock.cpp - Read-write locks ---------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The real lock says who may have it; it is only ever tried. An unlock wakes all who
// wait, as several readers may go on. As nobody waits for the real lock, it does not
// know of waiting writers: its kinds that prefer those behave like the default, in
// which readers may always overtake them.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_attempts.h"
#include "heddle/rtl/heddle_lock_owners.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

using namespace __sanitizer;
using namespace __tsan;
using namespace __heddle;

DECLARE_REAL(int, pthread_rwlock_tryrdlock, void *lock)
DECLARE_REAL(int, pthread_rwlock_trywrlock, void *lock)
DECLARE_REAL(int, pthread_rwlock_timedrdlock, void *lock, void *abstime)
DECLARE_REAL(int, pthread_rwlock_timedwrlock, void *lock, void *abstime)
DECLARE_REAL(int, pthread_rwlock_unlock, void *lock)

HEDDLE_REAL(int, pthread_rwlock_clockrdlock, (void *lock, int clock, void *abstime),
            (lock, clock, abstime))
HEDDLE_REAL(int, pthread_rwlock_clockwrlock, (void *lock, int clock, void *abstime),
            (lock, clock, abstime))

namespace {

enum class Mode { kRead, kWrite };

int Try(Mode mode, void *lock) {
  return mode == Mode::kRead ? REAL(pthread_rwlock_tryrdlock)(lock)
                             : REAL(pthread_rwlock_trywrlock)(lock);
}

// What rdlock or wrlock would return, or EBUSY where it would wait.
int Attempt(Mode mode, void *lock) {
  int result = Try(mode, lock);
  if (result != EBUSY)
    return result;
  // To whom has it locked for writing they say EDEADLK, not EBUSY. With a time limit
  // that is over they do not wait.
  timespec past = {0, 0};
  result = mode == Mode::kRead ? REAL(pthread_rwlock_timedrdlock)(lock, &past)
                               : REAL(pthread_rwlock_timedwrlock)(lock, &past);
  return result == ETIMEDOUT ? EBUSY : result;
}

void BeforeLock(ThreadState *thr, uptr pc, Mode mode, void *lock) {
  if (mode == Mode::kRead)
    MutexPreReadLock(thr, pc, reinterpret_cast<uptr>(lock));
  else
    MutexPreLock(thr, pc, reinterpret_cast<uptr>(lock));
}

void AfterLock(ThreadState *thr, uptr pc, Mode mode, void *lock, bool always) {
  u32 flags = always ? 0 : MutexFlagTryLock;
  if (mode == Mode::kRead)
    MutexPostReadLock(thr, pc, reinterpret_cast<uptr>(lock), flags);
  else
    MutexPostLock(thr, pc, reinterpret_cast<uptr>(lock), flags);
}

// Whether it says that processes share it.
bool IsShared(void *lock) { return static_cast<pthread_rwlock_t *>(lock)->__data.__shared; }

// Waits for the real lock, outside of the schedule.
int LockAway(ThreadState *thr, uptr pc, Mode mode, void *lock, const TimeLimit &limit) {
  int result;
  {
    AwayFromSchedule away(thr);
    timespec time;
    limit.OnSystemClock(&time);
    result = mode == Mode::kRead ? REAL(pthread_rwlock_timedrdlock)(lock, &time)
                                 : REAL(pthread_rwlock_timedwrlock)(lock, &time);
  }
  if (result == 0) {
    VisibleOperation visible(thr, pc, OperationKind::kLock, lock);
    visible.Hold(lock);
  }
  return result;
}

int LockAs(ThreadState *thr, uptr pc, Mode mode, void *lock, TimeLimit limit = TimeLimit()) {
  if (limit.Never())
    BeforeLock(thr, pc, mode, lock);
  Attempts attempts = {mode == Mode::kRead ? OperationKind::kReadLock : OperationKind::kLock,
                       WaitKind::kRwLock, lock, limit};
  attempts.may_be_shared = SaysShared(lock, IsShared(lock));
  int result = Perform(thr, pc, attempts, [&](VisibleOperation &visible) {
    int locked = Attempt(mode, lock);
    if (locked == 0)
      visible.Hold(lock);
    return locked;
  });
  if (result == EBUSY)
    result = LockAway(thr, pc, mode, lock, attempts.limit);
  if (result == 0) {
    AfterLock(thr, pc, mode, lock, limit.Never());
    NoteLocked(lock, OwnedKind::kRwLock);
  }
  return result;
}

int TryLockAs(ThreadState *thr, uptr pc, Mode mode, void *lock) {
  int result;
  {
    VisibleOperation visible(
        thr, pc, mode == Mode::kRead ? OperationKind::kTryReadLock : OperationKind::kTryLock, lock);
    result = Try(mode, lock);
    if (result == 0)
      visible.Hold(lock);
    else
      visible.LoadedOnly(lock, result);
  }
  if (result == 0) {
    AfterLock(thr, pc, mode, lock, /*always=*/false);
    NoteLocked(lock, OwnedKind::kRwLock);
  }
  return result;
}

} // namespace

HEDDLE_INTERCEPTOR(int, pthread_rwlock_rdlock, void *lock) {
  HEDDLE_CONTROLLED(pthread_rwlock_rdlock, lock);
  return LockAs(thr, pc, Mode::kRead, lock);
}

HEDDLE_INTERCEPTOR(int, pthread_rwlock_wrlock, void *lock) {
  HEDDLE_CONTROLLED(pthread_rwlock_wrlock, lock);
  return LockAs(thr, pc, Mode::kWrite, lock);
}

HEDDLE_INTERCEPTOR(int, pthread_rwlock_timedrdlock, void *lock, void *abstime) {
  HEDDLE_CONTROLLED(pthread_rwlock_timedrdlock, lock, abstime);
  return LockAs(thr, pc, Mode::kRead, lock, TimeLimit(CLOCK_REALTIME, abstime));
}

HEDDLE_INTERCEPTOR(int, pthread_rwlock_timedwrlock, void *lock, void *abstime) {
  HEDDLE_CONTROLLED(pthread_rwlock_timedwrlock, lock, abstime);
  return LockAs(thr, pc, Mode::kWrite, lock, TimeLimit(CLOCK_REALTIME, abstime));
}

HEDDLE_INTERCEPTOR(int, pthread_rwlock_clockrdlock, void *lock, int clock, void *abstime) {
  HEDDLE_CONTROLLED(pthread_rwlock_clockrdlock, lock, clock, abstime);
  return LockAs(thr, pc, Mode::kRead, lock, TimeLimit(clock, abstime));
}

HEDDLE_INTERCEPTOR(int, pthread_rwlock_clockwrlock, void *lock, int clock, void *abstime) {
  HEDDLE_CONTROLLED(pthread_rwlock_clockwrlock, lock, clock, abstime);
  return LockAs(thr, pc, Mode::kWrite, lock, TimeLimit(clock, abstime));
}

HEDDLE_INTERCEPTOR(int, pthread_rwlock_tryrdlock, void *lock) {
  HEDDLE_CONTROLLED(pthread_rwlock_tryrdlock, lock);
  return TryLockAs(thr, pc, Mode::kRead, lock);
}

HEDDLE_INTERCEPTOR(int, pthread_rwlock_trywrlock, void *lock) {
  HEDDLE_CONTROLLED(pthread_rwlock_trywrlock, lock);
  return TryLockAs(thr, pc, Mode::kWrite, lock);
}

HEDDLE_INTERCEPTOR(int, pthread_rwlock_unlock, void *lock) {
  HEDDLE_CONTROLLED(pthread_rwlock_unlock, lock);
  VisibleOperation visible(thr, pc, OperationKind::kUnlock, lock);
  MutexReadOrWriteUnlock(thr, pc, reinterpret_cast<uptr>(lock));
  int result = REAL(pthread_rwlock_unlock)(lock);
  visible.LetGo(lock);
  visible.WakeAll(WaitKind::kRwLock, lock);
  NoteUnlocked(lock);
  return result;
}
