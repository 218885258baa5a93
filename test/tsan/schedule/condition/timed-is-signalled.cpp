// A wait with a limit ends by either; the program sees which.
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t | %FileCheck %s
// CHECK: done
#include <condition_variable>
#include <mutex>
#include <stdio.h>
#include <thread>

#include "heddle_test.h"

std::mutex mutex;
std::condition_variable condition;
bool flag;

int main() {
  std::thread waiter([] {
    std::unique_lock<std::mutex> lock(mutex);
    while (!flag)
      if (condition.wait_for(lock, std::chrono::milliseconds(1)) == std::cv_status::timeout)
        break;
  });
  {
    std::lock_guard<std::mutex> lock(mutex);
    flag = true;
    condition.notify_one();
  }
  waiter.join();
  puts("done");
}
