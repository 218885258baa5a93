// C11's conditions, under every schedule and without: a mutex is released while a thread waits, and a
// time limit ends the wait, one in the future too if nobody signals.
//
// RUN: %clang_heddle -std=c11 %s -o %t && %every_schedule %t
// RUN: %expect_clean %t
#include "heddle_test.h"
#include <threads.h>

static mtx_t mutex;
static cnd_t condition;
static int ready;

static int WaitForReady(void *argument) {
  (void)argument;
  mtx_lock(&mutex);
  while (ready == 0)
    EXPECT(cnd_wait(&condition, &mutex) == thrd_success);
  ready++;
  mtx_unlock(&mutex);
  return 0;
}

int main(void) {
  thrd_t threads[3];
  EXPECT(mtx_init(&mutex, mtx_plain) == thrd_success && cnd_init(&condition) == thrd_success);
  for (int i = 0; i < 3; i++)
    EXPECT(thrd_create(&threads[i], WaitForReady, NULL) == thrd_success);
  mtx_lock(&mutex);
  ready = 1;
  EXPECT(cnd_signal(&condition) == thrd_success && cnd_broadcast(&condition) == thrd_success);
  mtx_unlock(&mutex);
  for (int i = 0; i < 3; i++)
    EXPECT(thrd_join(threads[i], NULL) == thrd_success);
  EXPECT(ready == 4);
  struct timespec past = {0, 0};
  mtx_lock(&mutex);
  EXPECT(cnd_timedwait(&condition, &mutex, &past) == thrd_timedout);
  struct timespec soon;
  timespec_get(&soon, TIME_UTC);
  soon.tv_nsec += 1000000;
  soon.tv_sec += soon.tv_nsec / 1000000000;
  soon.tv_nsec %= 1000000000;
  int result;
  while ((result = cnd_timedwait(&condition, &mutex, &soon)) == thrd_success) {
  }
  EXPECT(result == thrd_timedout);
  mtx_unlock(&mutex);
  cnd_destroy(&condition);
  mtx_destroy(&mutex);
}
