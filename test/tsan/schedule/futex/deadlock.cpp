// A futex that nobody will wake is a deadlock, and the report names it.
//
// RUN: %clangxx_heddle %s -I%S/Inputs -o %t
// RUN: %every_schedule --deadlock %t | %FileCheck %s
#include "futex_test.h"
#include <thread>

int main() {
  std::atomic<int> never{0};
  std::thread thread([&] { never.wait(0); });
  thread.join();
  // CHECK: WARNING: ThreadSanitizer: deadlock
  // CHECK: Main thread waits for the end of thread T1
  // CHECK: Thread T1 waits for futex or atomic wait
  // CHECK: deadlock.cpp:[[@LINE-5]]
  // CHECK: Schedule: random, seed 1
}
