// A recording that ends in a failed assertion or an abort is complete: a replay fails there, too,
// and does not stop one operation before.

// RUN: %clangxx_heddle %s -o %t
// RUN: %record_and_play --exit 134 %t assert
// RUN: %record_and_play --exit 134 %t abort
// RUN: %record_and_play --exit 134 %t throw
// RUN: %record_and_play --exit 134 --seeds 5 %t all
// RUN: rm -rf %t.demo
// RUN: env TSAN_OPTIONS="schedule=random record_demo=%t.demo" %expect_exit 134 %t assert
// RUN: env TSAN_OPTIONS="play_demo=%t.demo" %expect_exit 134 %t assert 2>&1 | %FileCheck %s
// CHECK: ThreadSanitizer: failed assertion in thread T4
// CHECK: Schedule: played from
// CHECK: Assertion `value == 2' failed

#include <atomic>
#include <cassert>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>

std::atomic<int> value{0};

int main(int, char **arguments) {
  const std::string how = arguments[1];
  // The second one to fail does not end the process before the first has said so.
  std::thread others[3];
  for (std::thread &other : others)
    other = std::thread([&] {
      if (how == "all" && value.load() < 9)
        abort();
    });
  std::thread thread([&] {
    value++;
    if (how == "assert")
      assert(value == 2);
    if (how == "abort")
      abort();
    throw std::runtime_error("thrown");
  });
  thread.join();
  for (std::thread &other : others)
    other.join();
}
