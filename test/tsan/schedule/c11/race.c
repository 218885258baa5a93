// A race between C11's threads is reported, with the place where the thread was created.
//
// RUN: %clang_heddle -std=c11 %s -o %t && %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: env TSAN_OPTIONS=schedule=random %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"
#include <threads.h>

static int data;
static unsigned barrier; // accesses at the very same moment may not see each other
static int Write(void *argument) {
  (void)argument;
  data++;
  InvisibleBarrier(&barrier);
  return 0;
}

int main(void) {
  thrd_t thread;
  __tsan_testonly_barrier_init(&barrier, 2);
  EXPECT(thrd_create(&thread, Write, NULL) == thrd_success);
  InvisibleBarrier(&barrier);
  data++;
  EXPECT(thrd_join(thread, NULL) == thrd_success);
  // CHECK: WARNING: ThreadSanitizer: data race
  // CHECK: Thread T1 {{.*}}created by main thread at:
  // CHECK: race.c:[[@LINE-6]]
}
