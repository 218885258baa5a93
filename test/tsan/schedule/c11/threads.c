// C11's threads and mutexes, once and thread-specific storage, under every schedule and without: what
// they order is ordered, and their results are right.
//
// RUN: %clang_heddle -std=c11 %s -o %t && %every_schedule %t
// RUN: %expect_clean %t
#include "heddle_test.h"
#include <threads.h>

static mtx_t plain, timed, recursive;
static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int counter, onces, destroyed;

static void Once(void) { onces++; }
static void Destroy(void *value) {
  (void)value;
  EXPECT(mtx_lock(&plain) == thrd_success);
  destroyed++;
  EXPECT(mtx_unlock(&plain) == thrd_success);
}

static int Count(void *argument) {
  call_once(&once, Once);
  EXPECT(onces == 1);
  EXPECT(tss_set(key, argument) == thrd_success && tss_get(key) == argument);
  for (int i = 0; i < 3; i++) {
    EXPECT(mtx_lock(&plain) == thrd_success);
    counter++;
    EXPECT(mtx_unlock(&plain) == thrd_success);
    thrd_yield();
  }
  return *(int *)argument;
}

static int ExitEarly(void *argument) {
  (void)argument;
  thrd_exit(-5);
}

static int TryHeld(void *argument) {
  struct timespec limit;
  (void)argument;
  EXPECT(mtx_trylock(&timed) == thrd_busy && mtx_trylock(&recursive) == thrd_busy);
  timespec_get(&limit, TIME_UTC);
  limit.tv_nsec = 0;
  EXPECT(mtx_timedlock(&timed, &limit) == thrd_timedout);
  return 0;
}

int main(void) {
  thrd_t threads[3];
  int results[3] = {7, 8, 9}, result;
  EXPECT(mtx_init(&plain, mtx_plain) == thrd_success && mtx_init(&timed, mtx_timed) == thrd_success);
  EXPECT(mtx_init(&recursive, mtx_plain | mtx_recursive) == thrd_success);
  EXPECT(tss_create(&key, Destroy) == thrd_success);

  for (int i = 0; i < 3; i++)
    EXPECT(thrd_create(&threads[i], Count, &results[i]) == thrd_success);
  for (int i = 0; i < 3; i++)
    EXPECT(thrd_join(threads[i], &result) == thrd_success && result == results[i]);
  EXPECT(counter == 9 && onces == 1 && destroyed == 3);

  EXPECT(thrd_create(&threads[0], ExitEarly, NULL) == thrd_success);
  EXPECT(thrd_join(threads[0], &result) == thrd_success && result == -5);

  EXPECT(mtx_lock(&timed) == thrd_success);
  EXPECT(mtx_lock(&recursive) == thrd_success && mtx_trylock(&recursive) == thrd_success);
  EXPECT(thrd_create(&threads[0], TryHeld, NULL) == thrd_success);
  EXPECT(thrd_join(threads[0], NULL) == thrd_success);
  EXPECT(mtx_unlock(&recursive) == thrd_success && mtx_unlock(&recursive) == thrd_success);
  struct timespec time = {0, 1000};
  mtx_unlock(&timed);
  EXPECT(thrd_sleep(&time, NULL) == 0);

  EXPECT(thrd_create(&threads[0], ExitEarly, NULL) == thrd_success);
  EXPECT(thrd_detach(threads[0]) == thrd_success);
  mtx_destroy(&plain);
  mtx_destroy(&timed);
  mtx_destroy(&recursive);
  tss_delete(key);
}
