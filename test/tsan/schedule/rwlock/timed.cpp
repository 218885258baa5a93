// A lock with a time limit gives up when nobody unlocks, though the limit is an hour:
// time is logical. One that is free is locked though the limit is over.
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t | %FileCheck %s
// CHECK: done
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <thread>

#include "heddle_test.h"

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

timespec InAnHour(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  time.tv_sec += 3600;
  return time;
}

void GiveUp() {
  timespec time = InAnHour(CLOCK_REALTIME);
  EXPECT(pthread_rwlock_timedrdlock(&lock, &time) == ETIMEDOUT);
  time = InAnHour(CLOCK_REALTIME);
  EXPECT(pthread_rwlock_timedwrlock(&lock, &time) == ETIMEDOUT);
  time = InAnHour(CLOCK_MONOTONIC);
  EXPECT(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &time) == ETIMEDOUT);
  time = InAnHour(CLOCK_MONOTONIC);
  EXPECT(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &time) == ETIMEDOUT);
}

int main() {
  timespec before = InAnHour(CLOCK_MONOTONIC);
  pthread_rwlock_wrlock(&lock);
  std::thread(GiveUp).join();
  pthread_rwlock_unlock(&lock);
  EXPECT(InAnHour(CLOCK_MONOTONIC).tv_sec - before.tv_sec >= 4 * 3600);

  timespec past = {0, 0};
  EXPECT(pthread_rwlock_timedrdlock(&lock, &past) == 0);
  EXPECT(pthread_rwlock_unlock(&lock) == 0);
  EXPECT(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &past) == 0);
  EXPECT(pthread_rwlock_unlock(&lock) == 0);
  puts("done");
}
