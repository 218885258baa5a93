// A barrier of the same memory with another count is another barrier. One for a
// single thread does not wait.
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t | %FileCheck %s
// CHECK: done
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <thread>

#include "heddle_test.h"

pthread_barrier_t barrier;

int main() {
  EXPECT(pthread_barrier_init(&barrier, nullptr, 0) == EINVAL);
  for (unsigned count = 1; count <= 3; count++) {
    EXPECT(pthread_barrier_init(&barrier, nullptr, count) == 0);
    std::thread threads[3];
    for (unsigned i = 1; i < count; i++)
      threads[i] = std::thread([] { pthread_barrier_wait(&barrier); });
    int result = pthread_barrier_wait(&barrier);
    EXPECT(count > 1 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    for (unsigned i = 1; i < count; i++)
      threads[i].join();
    EXPECT(pthread_barrier_destroy(&barrier) == 0);
  }
  puts("done");
}
