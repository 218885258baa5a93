//===-- heddle_openmp_locks.cpp - Locks of OpenMP -------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Locks, critical and ordered regions, and the locks that the runtime has for atomic operations.
// For each there are mutexes of ours, which are part of the schedule.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_control.h"
#include "heddle/rtl/heddle_openmp_impl.h"
#include "sanitizer_common/sanitizer_mutex.h"

#include <pthread.h>

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle::openmp {
namespace {

// Ours for one of the runtime's. They are few, and as many as there ever are.
//
// `entrance` is taken before the runtime's, under a schedule, by who is going to wait for it. Who
// only tests does not come by there, and may have the runtime's before the one that waits. `inside`
// is taken when the thread has the runtime's, and let go when it has let that go: so it is held by
// another for a moment at most.
struct Lock {
  u64 id;
  Lock *next;
  pthread_mutex_t entrance, inside;
  atomic_uint32_t enters, holder; // threads, by the race detector's number + 1
};

StaticSpinMutex locks_mutex;
Lock *locks[64];

Lock *LockOf(u64 id) {
  Lock *&first = locks[(id >> 3) % ARRAY_SIZE(locks)];
  const auto find = [&] {
    Lock *lock = first;
    while (lock && lock->id != id)
      lock = lock->next;
    return lock;
  };
  {
    SpinMutexLock lock(&locks_mutex);
    if (Lock *found = find())
      return found;
  }
  // Not under the lock: to allocate may take long.
  Lock *made = Make<Lock>(id);
  SpinMutexLock lock(&locks_mutex);
  if (Lock *found = find())
    return found; // the other is never used
  made->next = first;
  return first = made;
}

u32 Self() { return u32(cur_thread()->tid) + 1; }
bool Is(const atomic_uint32_t &thread, u32 self) { return atomic_load_relaxed(&thread) == self; }

} // namespace

void MutexIsAwaited(ompt::Mutex kind, unsigned, unsigned, u64 id, const void *) {
  if (!schedule_controlled || kind == ompt::kOrdered)
    return;
  Lock *lock = LockOf(id);
  // Others may be waiting in a loop of such attempts.
  if (kind == ompt::kTestLock || kind == ompt::kTestNestableLock) {
    VisibleOperation visible(cur_thread_init(), GET_CURRENT_PC(), OperationKind::kTryLock,
                             &lock->inside);
    return visible.Unproductive();
  }
  const u32 self = Self();
  if (kind == ompt::kNestableLock && Is(lock->holder, self))
    return;
  pthread_mutex_lock(&lock->entrance);
  atomic_store_relaxed(&lock->enters, self);
}

void MutexIsTaken(ompt::Mutex, u64 id, const void *) {
  Lock *lock = LockOf(id);
  pthread_mutex_lock(&lock->inside);
  atomic_store_relaxed(&lock->holder, Self());
}

void MutexIsLetGo(ompt::Mutex, u64 id, const void *) {
  Lock *lock = LockOf(id);
  const u32 self = Self();
  if (Is(lock->holder, self)) {
    atomic_store_relaxed(&lock->holder, 0);
    pthread_mutex_unlock(&lock->inside);
  }
  if (Is(lock->enters, self)) {
    atomic_store_relaxed(&lock->enters, 0);
    pthread_mutex_unlock(&lock->entrance);
  }
}

} // namespace __heddle::openmp
