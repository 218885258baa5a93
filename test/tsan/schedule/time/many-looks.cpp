// A program may look at the clock a hundred times in a row without waiting for anything: an event
// loop does so that calls the handlers of a hundred timers. No time to speak of passes for it. One
// that does wait comes to its deadline all the same.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %every_schedule %t
#include "heddle_test.h"

static long Microseconds() {
  timespec now;
  EXPECT(!clock_gettime(CLOCK_MONOTONIC, &now));
  return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int main() {
  const long start = Microseconds();
  long now = start;
  for (int look = 0; look < 100; look++)
    now = Microseconds();
  EXPECT(now - start < 1000);
  for (int look = 0; look < 200; look++)
    now = Microseconds();
  EXPECT(now - start < 10000);
  while (now < start + 60 * 1000000)
    now = Microseconds();
}
