// Who has the lock for writing is told so. A time that is none is refused.
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t | %FileCheck %s
// CHECK: done
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

#include "heddle_test.h"

int main() {
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  timespec far = {1l << 60, 0}, none = {0, 1000000000};
  EXPECT(pthread_rwlock_wrlock(&lock) == 0);
  EXPECT(pthread_rwlock_wrlock(&lock) == EDEADLK);
  EXPECT(pthread_rwlock_rdlock(&lock) == EDEADLK);
  EXPECT(pthread_rwlock_timedwrlock(&lock, &far) == EDEADLK);
  EXPECT(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &far) == EDEADLK);
  EXPECT(pthread_rwlock_timedrdlock(&lock, &none) == EINVAL);
  EXPECT(pthread_rwlock_clockwrlock(&lock, CLOCK_PROCESS_CPUTIME_ID, &far) == EINVAL);
  EXPECT(pthread_rwlock_unlock(&lock) == 0);
  puts("done");
}
