// The barrier of tests, which the race detector does not see. Who waits there is away from the schedule
// at once: if that had to be noticed, each of 600 waits would take a time slice, a minute in all.
//
// RUN: %clangxx_heddle %s -o %t && env TSAN_OPTIONS="schedule=random time_slice_ms=2000" timeout 60 %t
// RUN: %every_schedule --kernel --seeds 1 %t
#include "heddle_test.h"
#include <thread>
#include <vector>

int main() {
  const int kThreads = 20;
  unsigned barrier;
  __tsan_testonly_barrier_init(&barrier, kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; i++)
    threads.emplace_back([&] {
      for (int round = 0; round < 30; round++)
        __tsan_testonly_barrier_wait(&barrier);
    });
  for (std::thread &thread : threads)
    thread.join();
}
