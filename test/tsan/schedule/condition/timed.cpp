// Waits with a limit of an hour end without one passing, by the clock that they are
// for: the condition's attribute says which.
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t | %FileCheck %s
// CHECK: done
#include <condition_variable>
#include <errno.h>
#include <mutex>
#include <pthread.h>
#include <stdio.h>

#include "heddle_test.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

timespec Now(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return time;
}

template <class Wait> void GiveUp(clockid_t clock, Wait wait) {
  timespec limit = Now(clock);
  limit.tv_sec += 3600;
  int result;
  pthread_mutex_lock(&mutex);
  while ((result = wait(&limit)) == 0) // spurious
    ;
  pthread_mutex_unlock(&mutex);
  EXPECT(result == ETIMEDOUT);
  timespec now = Now(clock);
  EXPECT(now.tv_sec > limit.tv_sec || (now.tv_sec == limit.tv_sec && now.tv_nsec >= limit.tv_nsec));
}

int main() {
  pthread_cond_t realtime = PTHREAD_COND_INITIALIZER, monotonic;
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&monotonic, &attributes);
  GiveUp(CLOCK_REALTIME,
         [&](timespec *limit) { return pthread_cond_timedwait(&realtime, &mutex, limit); });
  GiveUp(CLOCK_MONOTONIC,
         [&](timespec *limit) { return pthread_cond_timedwait(&monotonic, &mutex, limit); });
  GiveUp(CLOCK_MONOTONIC, [&](timespec *limit) {
    return pthread_cond_clockwait(&realtime, &mutex, CLOCK_MONOTONIC, limit);
  });
  timespec none = {0, -1};
  pthread_mutex_lock(&mutex);
  EXPECT(pthread_cond_timedwait(&realtime, &mutex, &none) == EINVAL);
  pthread_mutex_unlock(&mutex);

  std::mutex mine;
  std::condition_variable condition;
  std::unique_lock<std::mutex> lock(mine);
  EXPECT(!condition.wait_for(lock, std::chrono::hours(1), [] { return false; }));
  puts("done");
}
