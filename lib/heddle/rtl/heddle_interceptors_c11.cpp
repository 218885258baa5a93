//===-- heddle_interceptors_c11.cpp - <threads.h> -------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C11's threads. glibc implements them by internal functions that nobody can
// intercept, and upstream does not intercept the outer ones either: its race
// detector knows nothing of such threads, mutexes and conditions, and a thread that
// it does not know may crash it. Here they are made of the POSIX functions, which are
// intercepted, with a schedule and without.
//
// That is sound because glibc's types are its POSIX types under other names: a
// thrd_t is a pthread_t, a tss_t a pthread_key_t, and mtx_t, cnd_t and once_flag have
// the size and the meaning of the bytes of theirs. So an object may come from
// glibc's functions (an initialiser, a library that was linked against them
// statically) and go to ours, and the other way round. tss_ functions, thrd_current
// and thrd_equal order nothing and stay glibc's.
//
// Each is a frame of its own in reports.
//
// A program may bring its own <threads.h> along: these are weak.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_interceptors.h"

#if __has_include(<threads.h>)

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <threads.h>
#include <time.h>

using namespace __sanitizer;
using namespace __tsan;
using namespace __heddle;

static_assert(sizeof(thrd_t) == sizeof(pthread_t) && sizeof(tss_t) == sizeof(pthread_key_t));
static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t) &&
              alignof(mtx_t) == alignof(pthread_mutex_t));
static_assert(sizeof(cnd_t) == sizeof(pthread_cond_t) && alignof(cnd_t) == alignof(pthread_cond_t));
static_assert(sizeof(once_flag) == sizeof(pthread_once_t));

namespace {

int ResultOf(int error) {
  switch (error) {
  case 0:
    return thrd_success;
  case ENOMEM:
    return thrd_nomem;
  case ETIMEDOUT:
    return thrd_timedout;
  case EBUSY:
    return thrd_busy;
  default:
    return thrd_error;
  }
}

pthread_mutex_t *Posix(mtx_t *mutex) { return reinterpret_cast<pthread_mutex_t *>(mutex); }
pthread_cond_t *Posix(cnd_t *condition) { return reinterpret_cast<pthread_cond_t *>(condition); }

struct Start {
  thrd_start_t function;
  void *argument;
};

// Reports leave out the last frame of a stack if it has this name.
__attribute__((used)) void *RunC11Thread(void *argument) __asm__("__tsan_thread_start_func");
void *RunC11Thread(void *argument) {
  Start start = *static_cast<Start *>(argument);
  Free(argument);
  return reinterpret_cast<void *>(sptr(start.function(start.argument)));
}

} // namespace

//===-- Threads -----------------------------------------------------------===//

HEDDLE_WEAK_FUNCTION(int, thrd_create, (thrd_t * thread, thrd_start_t function, void *argument)) {
  SCOPED_INTERCEPTOR_RAW(thrd_create);
  auto *start = static_cast<Start *>(Alloc(sizeof(Start)));
  *start = {function, argument};
  int error = pthread_create(thread, nullptr, RunC11Thread, start);
  if (error)
    Free(start);
  // What pthread_create says if there is no memory for the thread.
  return error == EAGAIN ? thrd_nomem : ResultOf(error);
}

HEDDLE_WEAK_FUNCTION(int, thrd_join, (thrd_t thread, int *result)) {
  SCOPED_INTERCEPTOR_RAW(thrd_join);
  void *returned;
  int error = pthread_join(thread, &returned);
  if (!error && result)
    *result = int(reinterpret_cast<sptr>(returned));
  return ResultOf(error);
}

HEDDLE_WEAK_FUNCTION(int, thrd_detach, (thrd_t thread)) {
  SCOPED_INTERCEPTOR_RAW(thrd_detach);
  return ResultOf(pthread_detach(thread));
}

HEDDLE_WEAK_FUNCTION(void, thrd_exit, (int result)) {
  pthread_exit(reinterpret_cast<void *>(sptr(result)));
}

HEDDLE_WEAK_FUNCTION(void, thrd_yield, ()) {
  SCOPED_INTERCEPTOR_RAW(thrd_yield);
  sched_yield();
}

// 0, -1 if a signal came, or another negative value.
HEDDLE_WEAK_FUNCTION(int, thrd_sleep, (const timespec *time, timespec *left)) {
  SCOPED_INTERCEPTOR_RAW(thrd_sleep);
  int error = clock_nanosleep(CLOCK_REALTIME, 0, time, left);
  return error == EINTR ? -1 : error ? -2 : 0;
}

//===-- Mutexes -----------------------------------------------------------===//

HEDDLE_WEAK_FUNCTION(int, mtx_init, (mtx_t * mutex, int type)) {
  SCOPED_INTERCEPTOR_RAW(mtx_init);
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes,
                            type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_DEFAULT);
  int error = pthread_mutex_init(Posix(mutex), &attributes);
  pthread_mutexattr_destroy(&attributes);
  return ResultOf(error);
}

HEDDLE_WEAK_FUNCTION(void, mtx_destroy, (mtx_t * mutex)) {
  SCOPED_INTERCEPTOR_RAW(mtx_destroy);
  pthread_mutex_destroy(Posix(mutex));
}

HEDDLE_WEAK_FUNCTION(int, mtx_lock, (mtx_t * mutex)) {
  SCOPED_INTERCEPTOR_RAW(mtx_lock);
  return ResultOf(pthread_mutex_lock(Posix(mutex)));
}

HEDDLE_WEAK_FUNCTION(int, mtx_timedlock, (mtx_t * mutex, const timespec *limit)) {
  SCOPED_INTERCEPTOR_RAW(mtx_timedlock);
  return ResultOf(pthread_mutex_timedlock(Posix(mutex), limit));
}

HEDDLE_WEAK_FUNCTION(int, mtx_trylock, (mtx_t * mutex)) {
  SCOPED_INTERCEPTOR_RAW(mtx_trylock);
  return ResultOf(pthread_mutex_trylock(Posix(mutex)));
}

HEDDLE_WEAK_FUNCTION(int, mtx_unlock, (mtx_t * mutex)) {
  SCOPED_INTERCEPTOR_RAW(mtx_unlock);
  return ResultOf(pthread_mutex_unlock(Posix(mutex)));
}

//===-- Conditions --------------------------------------------------------===//

HEDDLE_WEAK_FUNCTION(int, cnd_init, (cnd_t * condition)) {
  SCOPED_INTERCEPTOR_RAW(cnd_init);
  return ResultOf(pthread_cond_init(Posix(condition), nullptr));
}

HEDDLE_WEAK_FUNCTION(void, cnd_destroy, (cnd_t * condition)) {
  SCOPED_INTERCEPTOR_RAW(cnd_destroy);
  pthread_cond_destroy(Posix(condition));
}

HEDDLE_WEAK_FUNCTION(int, cnd_wait, (cnd_t * condition, mtx_t *mutex)) {
  SCOPED_INTERCEPTOR_RAW(cnd_wait);
  return ResultOf(pthread_cond_wait(Posix(condition), Posix(mutex)));
}

HEDDLE_WEAK_FUNCTION(int, cnd_timedwait, (cnd_t * condition, mtx_t *mutex, const timespec *limit)) {
  SCOPED_INTERCEPTOR_RAW(cnd_timedwait);
  return ResultOf(pthread_cond_timedwait(Posix(condition), Posix(mutex), limit));
}

HEDDLE_WEAK_FUNCTION(int, cnd_signal, (cnd_t * condition)) {
  SCOPED_INTERCEPTOR_RAW(cnd_signal);
  return ResultOf(pthread_cond_signal(Posix(condition)));
}

HEDDLE_WEAK_FUNCTION(int, cnd_broadcast, (cnd_t * condition)) {
  SCOPED_INTERCEPTOR_RAW(cnd_broadcast);
  return ResultOf(pthread_cond_broadcast(Posix(condition)));
}

//===-- Once --------------------------------------------------------------===//

HEDDLE_WEAK_FUNCTION(void, call_once, (once_flag * flag, void (*function)())) {
  SCOPED_INTERCEPTOR_RAW(call_once);
  pthread_once(reinterpret_cast<pthread_once_t *>(flag), function);
}

#endif // <threads.h>
