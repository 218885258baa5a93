// A program that sleeps, or waits with a limit, until another one ends it is in no livelock, however much logical time
// passes. The tick limit is one that each of the loops would come to.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS=schedule=random:seed=1:livelock_ticks=1000 %t | %FileCheck %s
// RUN: env TSAN_OPTIONS=schedule=roundrobin:livelock_ticks=1000 %t | %FileCheck %s
// RUN: env TSAN_OPTIONS=schedule=queue:livelock_ticks=1000 %t | %FileCheck %s
// CHECK: done
#include "heddle_test.h"
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <unistd.h>

int main() {
  using namespace std::chrono_literals;
  for (int i = 0; i < 2000; i++)
    sleep(10000);
  std::mutex mutex;
  std::condition_variable condition;
  auto wait = [&] {
    for (int i = 0; i < 2000; i++) {
      std::unique_lock<std::mutex> lock(mutex);
      condition.wait_for(lock, 10s);
    }
  };
  std::thread one(wait), two([] {
    for (int i = 0; i < 2000; i++)
      std::this_thread::sleep_for(10s);
  });
  one.join();
  two.join();
  puts("done");
}
