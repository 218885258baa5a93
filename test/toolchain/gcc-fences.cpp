// REQUIRES: gcc

// Fences in objects by g++. GCC warns that its own runtime ignores them
// (-Wtsan); Heddle's does not, and the warning can be turned off.
// RUN: not g++ -std=c++17 -O1 -g -Werror -fsanitize=thread -c %s -o %t.o 2>&1 | grep -e -Werror=tsan
// RUN: g++ -std=c++17 -O1 -g -Wall -Werror -Wno-tsan -fsanitize=thread -c %s -o %t.o
// RUN: %heddle-clang++ -fsanitize=thread %t.o -o %t
// RUN: %t 2>&1 | %FileCheck --check-prefix=FENCES %s
// RUN: %expect_race %t without 2>&1 | %FileCheck --check-prefix=WITHOUT %s
// FENCES-NOT: WARNING
// FENCES: value 1
// FENCES-NOT: WARNING
// WITHOUT: ThreadSanitizer: data race
#include <atomic>
#include <cstdio>
#include <thread>

// Apart: if they shared eight bytes, who asks whether it is ready could drive the write out of the
// shadow at the very moment that it comes there.
alignas(8) static int value;
alignas(8) static std::atomic<bool> ready{false};

int main(int argc, char **) {
  const bool fences = argc == 1;
  std::thread thread([fences] {
    value = 1;
    if (fences)
      std::atomic_thread_fence(std::memory_order_release);
    ready.store(true, std::memory_order_relaxed);
  });
  while (!ready.load(std::memory_order_relaxed))
    std::this_thread::yield();
  if (fences)
    std::atomic_thread_fence(std::memory_order_acquire);
  std::printf("value %d\n", value);
  thread.join();
}
