// Two threads that wait for each other in loops: nobody ever changes anything.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS=schedule=random:livelock_ticks=1000000 %expect_race %t > %t.out 2>&1
// RUN: %FileCheck %s < %t.out
// CHECK: WARNING: ThreadSanitizer: livelock (no thread gets anything done)
// CHECK: Main thread is at an operation of kind load:
// CHECK: livelock.cpp:[[@LINE+14]]
// CHECK: Thread T1 is at an operation of kind load:
// CHECK: SUMMARY: ThreadSanitizer: livelock
#include <atomic>
#include <thread>

std::atomic<int> one, other;

int main() {
  std::thread thread([] {
    while (!one.load()) {
    }
    other.store(1);
  });
  while (!other.load()) {
  }
  one.store(1);
  thread.join();
}
