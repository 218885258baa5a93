// A C11 condition remembers no signal: who waits after it waits for ever, which is a deadlock.
//
// RUN: %clang_heddle -std=c11 %s -o %t && %every_schedule --deadlock %t | %FileCheck %s
// CHECK: Main thread waits for condition variable
#include "heddle_test.h"
#include <threads.h>

static mtx_t mutex;
static cnd_t condition;

static int Signal(void *argument) {
  (void)argument;
  cnd_signal(&condition);
  return 0;
}

int main(void) {
  thrd_t thread;
  mtx_init(&mutex, mtx_plain);
  cnd_init(&condition);
  thrd_create(&thread, Signal, NULL);
  thrd_join(thread, NULL);
  mtx_lock(&mutex);
  for (;;)
    cnd_wait(&condition, &mutex);
}
