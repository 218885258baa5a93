// Nobody begins a round before all have ended the last, and one of them in each
// round is told so. The barrier orders what was written: there is no race.
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t | %FileCheck %s
// CHECK: 3 rounds
#include <pthread.h>
#include <stdio.h>
#include <thread>

#include "heddle_test.h"

constexpr int kThreads = 3, kRounds = 3;
pthread_barrier_t barrier;
alignas(8) int done[kThreads];
int serial[kRounds];

void Work(int index) {
  for (int round = 0; round < kRounds; round++) {
    done[index]++;
    int result = pthread_barrier_wait(&barrier);
    EXPECT(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    if (result)
      serial[round]++;
    for (int i = 0; i < kThreads; i++)
      EXPECT(done[i] == round + 1);
    pthread_barrier_wait(&barrier);
  }
}

int main() {
  EXPECT(pthread_barrier_init(&barrier, nullptr, kThreads) == 0);
  std::thread threads[] = {std::thread(Work, 0), std::thread(Work, 1), std::thread(Work, 2)};
  for (std::thread &thread : threads)
    thread.join();
  EXPECT(pthread_barrier_destroy(&barrier) == 0);
  for (int once : serial)
    EXPECT(once == 1);
  printf("%d rounds\n", kRounds);
}
