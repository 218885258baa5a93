// With real_sleep=1 sleeps take their time, and others go on meanwhile: the thread that sleeps is away
// from the schedule.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule --seeds 1 --kernel --options real_sleep=1 %t
#include "heddle_test.h"
#include <thread>
#include <unistd.h>

static atomic<int> x;

int main() {
  std::thread sleeper([] {
    timespec time = {0, 10000000}, start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    usleep(10000);
    nanosleep(&time, nullptr);
    clock_nanosleep(CLOCK_MONOTONIC, 0, &time, nullptr);
    clock_gettime(CLOCK_MONOTONIC, &end);
    EXPECT((end.tv_sec - start.tv_sec) * 1000000000 + end.tv_nsec - start.tv_nsec >= 30000000);
    x = -1;
  });
  // Never ends if the sleeper keeps its turn.
  while (x >= 0)
    sched_yield();
  sleeper.join();
}
