// A thread may come to another slot between any two of its operations: then a seq_cst fence still
// stands for all that the thread has done before it. 2+2W with fences between the stores has no
// execution that leaves both of the first stores.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: for engine in buffer mograph; do for epochs in 1 2 3 4 5; do \
// RUN:   env TSAN_OPTIONS=test_epochs=$epochs HEDDLE_EXPLORE=weak_memory=$engine %t; done; done \
// RUN:   | uniq | %FileCheck %s
// CHECK: no execution left both
// CHECK-NOT: {{.}}
#include <atomic>
#include <sanitizer/heddle_interface.h>
#include <stdio.h>
#include <thread>

constexpr auto relaxed = std::memory_order_relaxed;

static void Fence() { std::atomic_thread_fence(std::memory_order_seq_cst); }

int main() {
  heddle::Options options;
  options.seed = 1;
  options.executions = 500;
  heddle::Result result = heddle::Explore(options, [] {
    std::atomic<int> x{0}, y{0};
    std::thread first([&] {
      x.store(1, relaxed);
      Fence();
      y.store(2, relaxed);
    });
    std::thread second([&] {
      y.store(1, relaxed);
      Fence();
      x.store(2, relaxed);
    });
    first.join();
    second.join();
    return x.load(relaxed) == 2 || y.load(relaxed) == 2;
  });
  if (!result.failed)
    printf("no execution left both\n");
}
