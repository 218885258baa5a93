// All ways to join a thread: the result is handed over, one that goes on is not waited for longer
// than asked, and what the thread has done happens before.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t
#include "heddle_test.h"
#include <errno.h>

static int data;
static atomic<bool> may_end;

static void *Return(void *argument) {
  data++;
  return argument;
}
static void *WaitAndReturn(void *argument) {
  while (!may_end)
    sched_yield();
  return Return(argument);
}

static timespec In(int clock, int seconds) {
  timespec now;
  clock_gettime(clock, &now);
  now.tv_sec += seconds;
  return now;
}

int main() {
  pthread_t thread;
  void *result = nullptr;
  EXPECT(!pthread_create(&thread, nullptr, Return, &thread));
  EXPECT(!pthread_join(thread, &result) && result == &thread && data == 1);

  EXPECT(!pthread_create(&thread, nullptr, WaitAndReturn, nullptr));
  EXPECT(pthread_tryjoin_np(thread, nullptr) == EBUSY);
  timespec limit = In(CLOCK_REALTIME, 1000), wrong = {0, -1};
  EXPECT(pthread_timedjoin_np(thread, nullptr, &limit) == ETIMEDOUT);
  limit = In(CLOCK_MONOTONIC, 1000);
  EXPECT(pthread_clockjoin_np(thread, nullptr, CLOCK_MONOTONIC, &limit) == ETIMEDOUT);
  timespec now = In(CLOCK_MONOTONIC, 0);
  EXPECT(now.tv_sec >= limit.tv_sec);
  EXPECT(pthread_timedjoin_np(thread, nullptr, &wrong) == EINVAL);
  may_end = true;
  while (int error = pthread_tryjoin_np(thread, &result))
    EXPECT(error == EBUSY);
  EXPECT(!result && data == 2);

  EXPECT(!pthread_create(&thread, nullptr, WaitAndReturn, &result));
  limit = In(CLOCK_MONOTONIC, 1000);
  while (int error = pthread_clockjoin_np(thread, &result, CLOCK_MONOTONIC, &limit)) {
    EXPECT(error == ETIMEDOUT);
    limit.tv_sec += 1000;
  }
  EXPECT(result == &result && data == 3);
  EXPECT(pthread_join(pthread_self(), nullptr) == EDEADLK);
}
