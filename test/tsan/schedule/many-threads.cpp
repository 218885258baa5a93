// 200 threads at once, and 10,000 one after another.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: for strategy in random queue pct pos; do env TSAN_OPTIONS=schedule=$strategy %t || exit 1; done | %FileCheck %s
// RUN: env TSAN_OPTIONS=schedule=random %t after | %FileCheck %s
// CHECK: 10000
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

std::atomic<int> sum;

int main(int argc, char **) {
  if (argc > 1) {
    for (int i = 0; i < 10000; i++)
      std::thread([] { sum++; }).join();
  } else {
    std::vector<std::thread> threads;
    for (int i = 0; i < 200; i++)
      threads.emplace_back([] {
        for (int k = 0; k < 50; k++)
          sum++;
      });
    for (auto &thread : threads)
      thread.join();
  }
  printf("%d\n", sum.load());
}
