//===-- heddle_interceptors_mutex.cpp - Mutexes and spin locks ------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A lock is a loop of attempts, each of which is an operation of its own (the
// thesis's figure 4.4): the real lock is never waited for. An attempt that fails
// blocks the thread until an unlock wakes it; then it may find the lock taken
// again. What the race and the deadlock detector need to know is told as
// upstream's interceptors tell it.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_attempts.h"
#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_lock_owners.h"
#include "heddle/rtl/heddle_mutex.h"
#include "heddle/rtl/heddle_robust.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <time.h>

using namespace __sanitizer;
using namespace __tsan;
using namespace __heddle;

DECLARE_REAL(int, pthread_mutex_trylock, void *mutex)
DECLARE_REAL(int, pthread_mutex_timedlock, void *mutex, void *abstime)
DECLARE_REAL(int, pthread_mutex_unlock, void *mutex)
DECLARE_REAL(int, pthread_spin_trylock, void *lock)
DECLARE_REAL(int, pthread_spin_unlock, void *lock)

namespace {

// Whether it says that processes share it, as glibc keeps that in the kind. All robust ones do.
bool IsShared(const void *mutex) {
  return static_cast<const pthread_mutex_t *>(mutex)->__data.__kind & 128;
}

// A thread that has ended in the schedule is about to end in the system, which then
// takes its robust mutexes from it. That depends on nobody, so it can be waited for. In
// the child of a fork there is no such thread, and the mutex stays locked.
void AwaitEndOfOwner(void *mutex) {
  if (!IsRobust(mutex))
    return;
  const ThreadId holder = control->scheduler().HolderOf(NameOfObject(mutex));
  if (holder == kNoThread || !HasEnded(control->At(holder)))
    return;
  const u32 id = control->At(holder)->os_id, process = ProcessOf(control->At(holder));
  auto *owner = reinterpret_cast<atomic_uint32_t *>(mutex); // glibc's __data.__lock
  while ((atomic_load(owner, memory_order_acquire) & FUTEX_TID_MASK) == id &&
         TgKill(process, id, 0) == 0)
    internal_sched_yield();
}

// What pthread_mutex_lock would return, or EBUSY where it would wait.
int Attempt(void *mutex) {
  AwaitEndOfOwner(mutex);
  // Of a robust one that cannot be recovered glibc's trylock says so only once, and keeps it.
  int result = IsRobust(mutex) ? EBUSY : REAL(pthread_mutex_trylock)(mutex);
  if (result != EBUSY)
    return result;
  // One that checks for errors says EDEADLK when it is locked again, not EBUSY.
  // A lock with a time limit that is over does not wait, and gives lock's errors.
  timespec past = {0, 0};
  result = REAL(pthread_mutex_timedlock)(mutex, &past);
  return result == ETIMEDOUT ? EBUSY : result;
}

bool Locked(int result) { return result == 0 || result == EOWNERDEAD; }

// Waits for the real lock, outside of the schedule.
int LockAway(ThreadState *thr, uptr pc, void *mutex, const TimeLimit &limit) {
  int result;
  {
    AwayFromSchedule away(thr);
    timespec time;
    limit.OnSystemClock(&time);
    result = REAL(pthread_mutex_timedlock)(mutex, &time);
  }
  if (Locked(result)) {
    VisibleOperation visible(thr, pc, OperationKind::kLock, mutex);
    visible.Hold(mutex);
  }
  return result;
}

// Locks it, or returns ETIMEDOUT when the time is over.
int LockMutex(ThreadState *thr, uptr pc, void *mutex, TimeLimit limit = TimeLimit()) {
  MutexPreLock(thr, pc, reinterpret_cast<uptr>(mutex));
  Attempts attempts = {OperationKind::kLock, WaitKind::kMutex, mutex, limit};
  attempts.may_be_shared = SaysShared(mutex, IsShared(mutex));
  int result = Perform(thr, pc, attempts, [&](VisibleOperation &visible) {
    int attempt = Attempt(mutex);
    if (attempt == EOWNERDEAD)
      visible.LetGo(mutex); // for the thread that died with it
    if (attempt == ENOTRECOVERABLE)
      visible.WakeAll(WaitKind::kMutex, mutex); // nobody will ever have it, nor unlock it
    if (Locked(attempt))
      visible.Hold(mutex);
    return attempt;
  });
  if (result == EBUSY)
    result = LockAway(thr, pc, mutex, attempts.limit);
  if (result == EOWNERDEAD)
    MutexRepair(thr, pc, reinterpret_cast<uptr>(mutex));
  if (Locked(result)) {
    MutexPostLock(thr, pc, reinterpret_cast<uptr>(mutex), limit.Never() ? 0 : MutexFlagTryLock);
    NoteLocked(mutex, OwnedKind::kMutex);
  }
  if (result == EINVAL && limit.Never())
    MutexInvalidAccess(thr, pc, reinterpret_cast<uptr>(mutex));
  return result;
}

// Of a thread that is not controlled. Not inline: see HEDDLE_FREE_OR_CONTROLLED.
template <class Lock> NOINLINE int LockRobust(Lock lock) {
  const int result = lock();
  if (Locked(result))
    ReleaseRobustAtEnd();
  return result;
}

} // namespace

namespace __heddle {

int LockControlled(ThreadState *thr, uptr pc, void *mutex) { return LockMutex(thr, pc, mutex); }

int UnlockControlled(ThreadState *thr, uptr pc, VisibleOperation &visible, void *mutex) {
  MutexUnlock(thr, pc, reinterpret_cast<uptr>(mutex));
  int result = REAL(pthread_mutex_unlock)(mutex);
  if (result == 0) {
    visible.LetGo(mutex);
    visible.WakeOne(WaitKind::kMutex, mutex);
    NoteUnlocked(mutex);
  }
  if (result == EINVAL)
    MutexInvalidAccess(thr, pc, reinterpret_cast<uptr>(mutex));
  return result;
}

} // namespace __heddle

// Upstream's interceptor is called last, so that none of ours is in a report's stack.
#define HEDDLE_FREE_OR_CONTROLLED(name, ...)                                                       \
  if (LIKELY(!schedule_controlled)) {                                                              \
    if (UNLIKELY(IsRobust(mutex)))                                                                 \
      return LockRobust([=] { return __interceptor_##name(__VA_ARGS__); });                        \
    return __interceptor_##name(__VA_ARGS__);                                                      \
  }                                                                                                \
  HEDDLE_CONTROLLED_OR(name, return __interceptor_##name(__VA_ARGS__))

HEDDLE_INTERCEPTOR(int, pthread_mutex_lock, void *mutex) {
  HEDDLE_FREE_OR_CONTROLLED(pthread_mutex_lock, mutex);
  return LockMutex(thr, pc, mutex);
}

HEDDLE_INTERCEPTOR(int, pthread_mutex_timedlock, void *mutex, void *abstime) {
  HEDDLE_FREE_OR_CONTROLLED(pthread_mutex_timedlock, mutex, abstime);
  return LockMutex(thr, pc, mutex, TimeLimit(CLOCK_REALTIME, abstime));
}

HEDDLE_INTERCEPTOR(int, pthread_mutex_clocklock, void *mutex, int clock, void *abstime) {
  HEDDLE_FREE_OR_CONTROLLED(pthread_mutex_clocklock, mutex, clock, abstime);
  return LockMutex(thr, pc, mutex, TimeLimit(clock, abstime));
}

HEDDLE_INTERCEPTOR(int, pthread_mutex_trylock, void *mutex) {
  HEDDLE_FREE_OR_CONTROLLED(pthread_mutex_trylock, mutex);
  VisibleOperation visible(thr, pc, OperationKind::kTryLock, mutex);
  AwaitEndOfOwner(mutex);
  int result = __interceptor_pthread_mutex_trylock(mutex);
  if (result == EOWNERDEAD)
    visible.LetGo(mutex); // for the thread that died with it
  if (Locked(result)) {
    visible.Hold(mutex);
    NoteLocked(mutex, OwnedKind::kMutex);
  } else {
    visible.Unproductive();
  }
  return result;
}

HEDDLE_INTERCEPTOR(int, pthread_mutex_unlock, void *mutex) {
  HEDDLE_CONTROLLED(pthread_mutex_unlock, mutex);
  VisibleOperation visible(thr, pc, OperationKind::kUnlock, mutex);
  return UnlockControlled(thr, pc, visible, mutex);
}

HEDDLE_INTERCEPTOR(int, pthread_spin_lock, void *lock) {
  HEDDLE_CONTROLLED(pthread_spin_lock, lock);
  MutexPreLock(thr, pc, reinterpret_cast<uptr>(lock));
  Attempts attempts = {OperationKind::kLock, WaitKind::kSpinLock, lock};
  attempts.may_be_shared = true; // it does not say so
  const auto attempt = [&](VisibleOperation &visible) {
    int result = REAL(pthread_spin_trylock)(lock);
    if (result == 0)
      visible.Hold(lock);
    return result;
  };
  int result;
  while ((result = Perform(thr, pc, attempts, attempt)) == EBUSY) {
    AwayFromSchedule away(thr);
    internal_sched_yield();
  }
  if (result == 0)
    MutexPostLock(thr, pc, reinterpret_cast<uptr>(lock));
  return result;
}

HEDDLE_INTERCEPTOR(int, pthread_spin_trylock, void *lock) {
  HEDDLE_CONTROLLED(pthread_spin_trylock, lock);
  VisibleOperation visible(thr, pc, OperationKind::kTryLock, lock);
  int result = __interceptor_pthread_spin_trylock(lock);
  if (result == 0)
    visible.Hold(lock);
  else
    visible.Unproductive();
  return result;
}

HEDDLE_INTERCEPTOR(int, pthread_spin_unlock, void *lock) {
  HEDDLE_CONTROLLED(pthread_spin_unlock, lock);
  VisibleOperation visible(thr, pc, OperationKind::kUnlock, lock);
  int result = __interceptor_pthread_spin_unlock(lock);
  visible.LetGo(lock);
  visible.WakeOne(WaitKind::kSpinLock, lock);
  return result;
}
