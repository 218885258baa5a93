// REQUIRES: gcc

// Exceptions in objects by g++. Each frame that is unwound must leave the
// runtime's own stack of calls: 200000 exceptions through three frames would
// overflow it otherwise, and the report below would have a wrong stack.
// RUN: g++ -std=c++17 -O1 -g -Wall -Werror -fsanitize=thread -c %s -o %t.o
// RUN: %heddle-clang++ -fsanitize=thread %t.o -o %t
// RUN: %expect_race %t 2>&1 | %FileCheck %s
// CHECK: caught 200000
// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Write of size 4
// CHECK-NEXT: #0 Last{{.*}} {{.*}}gcc-exceptions.cpp
// CHECK-NEXT: #1 main {{.*}}gcc-exceptions.cpp
#include <atomic>
#include <cstdio>
#include <stdexcept>
#include <thread>

alignas(8) int value;
alignas(8) static std::atomic<bool> done{false}; // apart: see gcc-fences.cpp

__attribute__((noinline)) static void Third(int i) {
  if (i >= 0)
    throw std::runtime_error("third");
}
struct Cleanup {
  ~Cleanup() { count++; }
  static int count;
};
int Cleanup::count;
__attribute__((noinline)) static void Second(int i) {
  Cleanup cleanup;
  Third(i);
}
__attribute__((noinline)) static void First(int i) { Second(i); std::puts("not reached"); }
__attribute__((noinline)) static void Last() { value = 2; std::atomic_signal_fence(std::memory_order_seq_cst); }

int main() {
  int caught = 0;
  for (int i = 0; i < 200000; i++) {
    try {
      First(i);
    } catch (const std::runtime_error &) {
      caught++;
    }
  }
  std::printf("caught %d\n", caught == Cleanup::count ? caught : -1);
  std::fflush(stdout);
  std::thread thread([] {
    value = 1;
    done.store(true, std::memory_order_relaxed);
  });
  while (!done.load(std::memory_order_relaxed)) {
  }
  Last();
  thread.join();
}
