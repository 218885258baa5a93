// More threads than there are heaps, some of them detached: heaps are used again, in an order
// that replays.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: rm -rf %t.demo && env TSAN_OPTIONS="schedule=random seed=1 record_demo=%t.demo" \
// RUN:   %t > %t.recorded 2>&1
// RUN: env TSAN_OPTIONS="play_demo=%t.demo" %t > %t.played 2>&1
// RUN: cmp %t.recorded %t.played
// RUN: %FileCheck %s < %t.recorded
//
// CHECK-NOT: WARNING
// CHECK: done
#include <stdio.h>
#include <stdlib.h>

#include <atomic>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  std::atomic<int> ended{0};
  auto work = [&] {
    void *own[2] = {malloc(100), malloc(100000)};
    std::lock_guard<std::mutex> lock(mutex);
    printf("%p %p %p\n", static_cast<void *>(own), own[0], own[1]);
    free(own[1]);
    ended++;
  };
  for (int i = 0; i < 400; i++) {
    std::thread detached(work), joined(work);
    detached.detach();
    joined.join();
  }
  while (ended < 800)
    std::this_thread::yield();
  puts("done");
}
