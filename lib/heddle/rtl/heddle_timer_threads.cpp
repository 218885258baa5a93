//===-- heddle_timer_threads.cpp - Timers that call a function ------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_timer_threads.h"

#include "heddle/choice/growable.h"
#include "heddle/rtl/heddle_cancel.h"
#include "heddle/rtl/heddle_control_impl.h"
#include "sanitizer_common/sanitizer_linux.h"
#include "sanitizer_common/sanitizer_posix.h"
#include "tsan_interceptors.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {
namespace {

constexpr int kTimerSignal = 32; // libc's own, which no program can have

// Of a timer. It stays: the last expiry may be noticed when the timer is gone.
struct Notification {
  void (*function)(sigval);
  sigval value;
  pthread_attr_t attributes;
};

StaticSpinMutex mutex;
Growable<Notification *, RuntimeMemory> *notifications; // by the number in the signal
int waiter_process, waiter;                             // the thread's numbers
sem_t waits;                                            // it has come so far
char order;                                             // what expiries are ordered by

Notification *Find(int number) {
  SpinMutexLock lock(&mutex);
  return number >= 0 && uptr(number) < notifications->Size() ? (*notifications)[uptr(number)]
                                                             : nullptr;
}

int Add(Notification *notification) {
  SpinMutexLock lock(&mutex);
  if (!notifications)
    notifications = New<Growable<Notification *, RuntimeMemory>>();
  notifications->Push(notification);
  return int(notifications->Size()) - 1;
}

// Reports leave out the last frame of a stack if it has this name.
__attribute__((used)) void *RunNotification(void *argument) __asm__("__tsan_thread_start_func");
void *RunNotification(void *argument) {
  const auto *notification = static_cast<const Notification *>(argument);
  notification->function(notification->value);
  return nullptr;
}

void *AwaitExpiries(void *) {
  sigset_t set;
  internal_memset(&set, 0, sizeof(set));
  const u64 signal = 1ull << (kTimerSignal - 1);
  internal_memcpy(&set, &signal, sizeof(signal)); // sigaddset refuses it
  // Not blocked it would end the process, and libc has it blocked in no new thread.
  KernelCall(SYS_rt_sigprocmask, SIG_BLOCK, &signal, nullptr, sizeof(signal));
  sem_post(&waits);
  for (;;) {
    siginfo_t info;
    if (sigwaitinfo(&set, &info) != kTimerSignal || info.si_code != SI_TIMER)
      continue;
    Notification *notification = Find(info.si_value.sival_int);
    if (!notification)
      continue;
    Acquire(cur_thread(), 0, reinterpret_cast<uptr>(&order));
    pthread_t thread;
    pthread_create(&thread, &notification->attributes, RunNotification, notification);
  }
}

int NumberOf(pthread_t thread) {
  ThreadRegistryLock lock(&ctx->thread_registry);
  const ThreadContextBase *context = ctx->thread_registry.FindThreadContextLocked(
      [](ThreadContextBase *each, void *handle) {
        return each->status == ThreadStatusRunning && each->user_id == uptr(handle);
      },
      reinterpret_cast<void *>(thread));
  return context ? int(context->os_id) : 0;
}

// As libc's, it blocks all signals, and so do the threads that it creates.
bool HasWaiter() {
  const int process = int(internal_getpid());
  if (waiter_process == process)
    return true;
  ScopedBlockSignals blocked(nullptr);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  sem_init(&waits, 0, 0);
  pthread_t thread;
  const int error = pthread_create(&thread, &attributes, AwaitExpiries, nullptr);
  pthread_attr_destroy(&attributes);
  if (error)
    return false;
  waiter = NumberOf(thread);
  CancelDisabled disabled;
  while (sem_wait(&waits)) {
  }
  waiter_process = process;
  return true;
}

void CopyAttributes(const pthread_attr_t *from, pthread_attr_t *to) {
  pthread_attr_init(to);
  pthread_attr_setdetachstate(to, PTHREAD_CREATE_DETACHED);
  size_t size;
  if (from && !pthread_attr_getstacksize(from, &size))
    pthread_attr_setstacksize(to, size);
  if (from && !pthread_attr_getguardsize(from, &size))
    pthread_attr_setguardsize(to, size);
}

} // namespace

const sigevent *NotifyTimerThread(ThreadState *thr, uptr pc, const sigevent *event,
                                  sigevent *instead) {
  if (LIKELY(!event || event->sigev_notify != SIGEV_THREAD))
    return event;
  if (!HasWaiter()) {
    errno = EAGAIN;
    return nullptr;
  }
  auto *notification = New<Notification>();
  notification->function = event->sigev_notify_function;
  notification->value = event->sigev_value;
  CopyAttributes(event->sigev_notify_attributes, &notification->attributes);
  internal_memset(instead, 0, sizeof(*instead));
  instead->sigev_notify = SIGEV_THREAD_ID;
  instead->sigev_signo = kTimerSignal;
  instead->sigev_value.sival_int = Add(notification);
  instead->_sigev_un._tid = waiter;
  BeforeTimerIsSet(thr, pc);
  return instead;
}

void BeforeTimerIsSet(ThreadState *thr, uptr pc) {
  if (UNLIKELY(waiter_process != 0))
    Release(thr, pc, reinterpret_cast<uptr>(&order));
}

} // namespace __heddle
