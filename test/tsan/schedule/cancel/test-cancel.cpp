// pthread_testcancel is an operation: when a thread finds that it is cancelled is
// the schedule's to say.
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t | %FileCheck %s
// CHECK: cancelled
#include <pthread.h>
#include <stdio.h>

#include "heddle_test.h"

void *Run(void *) {
  for (;;)
    pthread_testcancel();
}

int main() {
  pthread_t thread;
  void *result;
  pthread_create(&thread, nullptr, Run, nullptr);
  EXPECT(pthread_cancel(thread) == 0);
  EXPECT(pthread_join(thread, &result) == 0);
  if (result == PTHREAD_CANCELED)
    puts("cancelled");
}
