// A report whose symbols take long to come does not change the schedule: the thread that makes it
// is not taken for one that is stuck.
//
// RUN: mkdir -p %t.dir && printf '#!/bin/sh\nsleep 0.5\nexec "$TSAN_SYMBOLIZER_PATH" "$@"\n' > %t.dir/llvm-symbolizer
// RUN: chmod +x %t.dir/llvm-symbolizer && %clangxx_heddle %s -o %t
// RUN: TSAN_OPTIONS="schedule=random seed=3 time_slice_ms=1 schedule_trace=%t.quick symbolize=0" %expect_race %t
// RUN: TSAN_OPTIONS="schedule=random seed=3 time_slice_ms=1 schedule_trace=%t.slow external_symbolizer_path=%t.dir/llvm-symbolizer" %expect_race %t
// RUN: cmp %t.quick %t.slow
#include <atomic>
#include <thread>

int shared;
std::atomic<int> counter;

static void Run() {
  for (int i = 0; i < 50; i++)
    counter.fetch_add(1, std::memory_order_relaxed);
  shared++;
  for (int i = 0; i < 50; i++)
    counter.fetch_add(1, std::memory_order_relaxed);
}

int main() {
  std::thread first(Run), second(Run);
  first.join();
  second.join();
}
