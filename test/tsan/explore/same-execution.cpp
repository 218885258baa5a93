// An execution depends on its seed, and not on those that were before it: repeated alone it is the
// same.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: for s in random pct pctwm pos urw roundrobin; do for w in off buffer mograph; do \
// RUN:   env HEDDLE_EXPLORE="seed=1 executions=40 strategy=$s weak_memory=$w events=30" %t; \
// RUN:   done; done > %t.all
// RUN: for s in random pct pctwm pos urw roundrobin; do for w in off buffer mograph; do \
// RUN:   for i in 1 7 23 40; do \
// RUN:     env HEDDLE_EXPLORE="seed=$i strategy=$s weak_memory=$w events=30" %t | tail -n 1; \
// RUN:   done; done; done > %t.alone
// RUN: awk 'NR %% 41 == 2 || NR %% 41 == 8 || NR %% 41 == 24 || NR %% 41 == 0' %t.all | diff - %t.alone
//
// They differ.
// RUN: sort -u %t.all | wc -l | %FileCheck %s
// CHECK: {{^[1-9][0-9][0-9]}}
#include <atomic>
#include <memory>
#include <mutex>
#include <sanitizer/heddle_interface.h>
#include <stdio.h>
#include <string>
#include <thread>

int main() {
  std::atomic<int> x, y;
  heddle::Explore([&] {
    std::string log;
    std::mutex mutex;
    auto steps = std::make_unique<std::atomic<int>>(0);
    x = y = 0;
    auto run = [&](int id, std::atomic<int> &mine, std::atomic<int> &other) {
      for (int i = 1; i <= 4; i++) {
        mine.store(i, std::memory_order_relaxed);
        int value = other.load(std::memory_order_relaxed);
        int step = steps->fetch_add(1, std::memory_order_relaxed);
        std::lock_guard<std::mutex> lock(mutex);
        log += std::to_string(id) + ":" + std::to_string(value) + ":" + std::to_string(step) + " ";
      }
    };
    std::thread a(run, 1, std::ref(x), std::ref(y));
    std::thread b(run, 2, std::ref(y), std::ref(x));
    const unsigned chosen = heddle::Choose(100);
    a.join();
    b.join();
    printf("%s%u\n", log.c_str(), chosen);
  });
}
