// The thread that is told to do so destroys the barrier as soon as it is back, and the others may not have
// come back yet: no race.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule --seeds 5 %t
#include "heddle_test.h"
#include <thread>
#include <vector>

int main() {
  pthread_barrier_t barrier;
  EXPECT(!pthread_barrier_init(&barrier, nullptr, 3));
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++)
    threads.emplace_back([&] {
      if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        EXPECT(!pthread_barrier_destroy(&barrier));
    });
  for (std::thread &thread : threads)
    thread.join();
}
