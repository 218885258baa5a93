// A mutex that checks is not unlocked by who does not hold it, and nothing is waited for.
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS="schedule=random seed=1 report_mutex_bugs=0" %t | %FileCheck %s
// CHECK: done
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

#include "heddle_test.h"

int main() {
  pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  EXPECT(pthread_cond_wait(&condition, &mutex) == EPERM);
  puts("done");
}
