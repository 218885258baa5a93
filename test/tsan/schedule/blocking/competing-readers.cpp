// Two threads read one pipe, to which one byte is written at a time: whoever gets it, the other waits
// without stopping anybody.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule --kernel --seeds 2 %t
#include "heddle_test.h"
#include <thread>
#include <unistd.h>

static int ends[2];
static atomic<int> got;

static void Read() {
  char byte;
  while (read(ends[0], &byte, 1) == 1)
    got++;
}

int main() {
  EXPECT(!pipe(ends));
  std::thread first(Read), second(Read);
  for (int i = 1; i <= 20; i++) {
    EXPECT(write(ends[1], "a", 1) == 1);
    while (got != i)
      sched_yield();
  }
  close(ends[1]);
  first.join();
  second.join();
}
