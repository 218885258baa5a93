// A thread that waits in a loop for a volatile object to change, and performs no operation, lets others
// go on all the same; whatever volatile_order= says, though only with one that is not plain it is no
// race.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %every_schedule --kernel --seeds 2 --options volatile_order=acq_rel %t
// RUN: %every_schedule --kernel --seeds 1 --exit 66 %t | %FileCheck %s
// CHECK: WARNING: ThreadSanitizer: data race
#include "heddle_test.h"
#include <thread>

static volatile bool stop;
static atomic<int> x;

int main() {
  std::thread first([] {
    while (!stop) {
    }
  });
  std::thread second([] {
    while (!stop) {
    }
  });
  for (int i = 0; i < 10; i++)
    x++;
  stop = true;
  first.join();
  second.join();
}
