// A loop that waits for another thread, with annotations in it, ends under every strategy; and a
// recording of it is played.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %every_schedule --seeds 2 %t | %FileCheck %s
// RUN: %record_and_play --seeds 2 %t | %FileCheck %s
// CHECK: 42
#include <atomic>
#include <sanitizer/tsan_interface.h>
#include <stdio.h>
#include <thread>

std::atomic<int> ready;
int data;

int main() {
  std::thread other([] {
    data = 42;
    __tsan_release(&ready);
    ready.store(1, std::memory_order_relaxed);
  });
  while (!ready.load(std::memory_order_relaxed)) {
    __tsan_release(&data);
    __tsan_acquire(&data);
  }
  __tsan_acquire(&ready);
  printf("%d\n", data);
  other.join();
}
