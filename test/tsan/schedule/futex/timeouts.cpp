// A futex is waited for until a time limit, relative to now or on one of two clocks; the time is
// logical, so that it takes no time. Without a waker the limit always comes.
//
// RUN: %clangxx_heddle %s -I%S/Inputs -o %t && %every_schedule %t
#include "futex_test.h"

static double Now(int clock) {
  timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}
static timespec In(int clock, int seconds) {
  timespec now;
  clock_gettime(clock, &now);
  now.tv_sec += seconds;
  return now;
}

int main() {
  Word word{1};
  double start = Now(CLOCK_MONOTONIC);
  timespec hour = {3600, 0};
  EXPECT(Futex(&word, FUTEX_WAIT, 1, &hour) == Error(ETIMEDOUT));
  EXPECT(Now(CLOCK_MONOTONIC) - start >= 3600);
  timespec limit = In(CLOCK_MONOTONIC, 3600);
  EXPECT(Futex(&word, FUTEX_WAIT_BITSET, 1, &limit, nullptr, FUTEX_BITSET_MATCH_ANY) ==
         Error(ETIMEDOUT));
  EXPECT(Now(CLOCK_MONOTONIC) - start >= 7200);
  EXPECT(Futex(&word, FUTEX_WAIT_BITSET, 1, &limit, nullptr, 4) == Error(ETIMEDOUT));
  double real = Now(CLOCK_REALTIME);
  limit = In(CLOCK_REALTIME, 60);
  EXPECT(Futex(&word, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 1, &limit, nullptr, 1) ==
         Error(ETIMEDOUT));
  EXPECT(Now(CLOCK_REALTIME) - real >= 60);
}
