// What the calls return that need not wait, and those that give up.
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t | %FileCheck %s
// CHECK: done
#include <errno.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

#include "heddle_test.h"

#define FAILS(call, error) (errno = 0, (call) == -1 && errno == (error))

int main() {
  sem_t semaphore;
  int value = -1;
  sem_init(&semaphore, 0, 1);
  EXPECT(sem_getvalue(&semaphore, &value) == 0 && value == 1);
  EXPECT(sem_trywait(&semaphore) == 0);
  EXPECT(FAILS(sem_trywait(&semaphore), EAGAIN));

  timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 3600;
  EXPECT(FAILS(sem_timedwait(&semaphore, &limit), ETIMEDOUT));
  EXPECT(FAILS(sem_timedwait(&semaphore, &limit), ETIMEDOUT)); // over by now
  clock_gettime(CLOCK_MONOTONIC, &limit);
  limit.tv_sec += 3600;
  EXPECT(FAILS(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &limit), ETIMEDOUT));
  EXPECT(FAILS(sem_clockwait(&semaphore, CLOCK_PROCESS_CPUTIME_ID, &limit), EINVAL));
  limit.tv_nsec = -1;
  EXPECT(FAILS(sem_timedwait(&semaphore, &limit), EINVAL));

  EXPECT(sem_post(&semaphore) == 0);
  timespec past = {-1, 0};
  EXPECT(sem_timedwait(&semaphore, &past) == 0);
  EXPECT(FAILS(sem_timedwait(&semaphore, &past), ETIMEDOUT));
  EXPECT(sem_destroy(&semaphore) == 0);
  puts("done");
}
