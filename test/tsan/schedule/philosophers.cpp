// Three philosophers with work between the forks deadlock in few interleavings. Within a
// thousand runs random and pct find it, and the seed repeats it.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: for strategy in random pct; do \
// RUN:   found=; \
// RUN:   for seed in $(seq 1 1000); do \
// RUN:     if ! env TSAN_OPTIONS=schedule=$strategy:seed=$seed:schedule_events=60:detect_deadlocks=0 %t > %t.out 2>&1; then \
// RUN:       found=$seed; break; \
// RUN:     fi; \
// RUN:   done; \
// RUN:   test -n "$found" || exit 1; \
// RUN:   %FileCheck %s < %t.out || exit 1; \
// RUN:   env TSAN_OPTIONS=schedule=$strategy:seed=$found:schedule_events=60:detect_deadlocks=0 %expect_race %t > %t.again 2>&1; \
// RUN:   grep 'Schedule:' %t.out > %t.first; grep 'Schedule:' %t.again | cmp - %t.first || exit 1; \
// RUN: done
// CHECK: WARNING: ThreadSanitizer: deadlock
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kPhilosophers = 3;
std::mutex forks[kPhilosophers];
std::atomic<int> work;

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < kPhilosophers; i++)
    threads.emplace_back([i] {
      for (int meal = 0; meal < 2; meal++) {
        work++;
        std::lock_guard<std::mutex> left(forks[i]);
        work++;
        std::lock_guard<std::mutex> right(forks[(i + 1) % kPhilosophers]);
        work++;
      }
    });
  for (auto &thread : threads)
    thread.join();
}
