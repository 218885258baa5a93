// Atomic operations and fences of several threads: the same schedule for the same seed.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule --seeds 5 %t | %FileCheck %s
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

std::atomic<int> sum, flag;

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++)
    threads.emplace_back([i] {
      for (int k = 0; k < 20; k++) {
        sum.fetch_add(1, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_seq_cst);
        int expected = i;
        if (flag.compare_exchange_strong(expected, i + 1))
          flag.store(0);
        flag.exchange(flag.load());
      }
    });
  for (auto &thread : threads)
    thread.join();
  printf("%d\n", sum.load());
  // CHECK: 80
}
