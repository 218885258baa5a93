// Loops that wait for another thread end under every strategy: by loads, by failed
// read-modify-writes, with and without yields, also if the one waited for is the least
// of three.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule --seeds 5 %t | %FileCheck %s
#include <atomic>
#include <cstdio>
#include <sched.h>
#include <thread>

std::atomic<int> turn, lock{1};

int main() {
  std::thread first([] {
    while (turn.load(std::memory_order_acquire) != 1) {
    }
    turn.store(2, std::memory_order_release);
  });
  std::thread second([] {
    while (turn.load() != 2)
      sched_yield();
    turn.store(3);
  });
  std::thread third([] {
    while (lock.exchange(1)) {
    }
    lock.store(0);
  });
  turn.store(1);
  int expected;
  do
    expected = 3;
  while (!turn.compare_exchange_strong(expected, 4));
  lock.store(0);
  first.join();
  second.join();
  third.join();
  printf("turn %d\n", turn.load());
  // CHECK: turn 4
}
