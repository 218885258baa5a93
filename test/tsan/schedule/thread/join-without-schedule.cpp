// With no schedule, pthread_clockjoin_np orders what the thread has done before what follows; upstream
// does not know it.
//
// RUN: %clangxx_heddle %s -o %t && %expect_clean %t
#include "heddle_test.h"
#include <errno.h>

static int data;
static unsigned barrier;
static void *Write(void *) {
  InvisibleBarrier(&barrier);
  data = 1;
  return nullptr;
}

int main() {
  pthread_t thread;
  __tsan_testonly_barrier_init(&barrier, 2);
  EXPECT(!pthread_create(&thread, nullptr, Write, nullptr));
  timespec past = {0, 0}, limit;
  EXPECT(pthread_clockjoin_np(thread, nullptr, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
  InvisibleBarrier(&barrier);
  clock_gettime(CLOCK_MONOTONIC, &limit);
  limit.tv_sec += 1000;
  EXPECT(!pthread_clockjoin_np(thread, nullptr, CLOCK_MONOTONIC, &limit));
  EXPECT(data == 1);
}
