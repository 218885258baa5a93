// Threads that join each other wait for ever.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %every_schedule --deadlock %t | %FileCheck %s
#include "heddle_test.h"

static pthread_t threads[3];
static atomic<bool> created;

static void *JoinNext(void *argument) {
  while (!created)
    sched_yield();
  pthread_join(threads[((long)argument + 1) % 3], nullptr);
  return nullptr;
}

int main() {
  for (long i = 0; i < 3; i++)
    pthread_create(&threads[i], nullptr, JoinNext, (void *)i);
  created = true;
  for (;;)
    sched_yield();
  // CHECK: WARNING: ThreadSanitizer: deadlock
  // CHECK: Thread T1 waits for the end of thread T2
  // CHECK: Thread T2 waits for the end of thread T3
  // CHECK: Thread T3 waits for the end of thread T1
}
