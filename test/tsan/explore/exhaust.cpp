// All executions of a small body: the outcomes are those that the oracle allows, no more and no
// less, and the number of executions is the same each time.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: for test in SB MP 2+2W; do for model in mograph:c11tester buffer:tsan20 off:sc; do \
// RUN:   heddle litmus --model=axiomatic --axioms=${model#*:} \
// RUN:     %source_dir/test/litmus/corpus/$test+rlx.litmus | grep States; done; done > %t.oracle
// RUN: rm -f %t.counts
// RUN: for test in SB MP 2+2W; do for model in mograph buffer off; do \
// RUN:   env HEDDLE_EXPLORE=weak_memory=$model %t $test 2>> %t.counts; done; done > %t.found
// RUN: diff %t.oracle %t.found
// RUN: %FileCheck %s < %t.counts
// CHECK: ThreadSanitizer: heddle::Exhaust: all {{[0-9]+}} executions, 0 failed.
// CHECK-NOT: not all
//
// RUN: env HEDDLE_EXPLORE=weak_memory=mograph %t SB 2>&1 | grep all > %t.again
// RUN: head -n 1 %t.counts | diff - %t.again
#include <atomic>
#include <sanitizer/heddle_interface.h>
#include <set>
#include <stdio.h>
#include <string.h>
#include <thread>
#include <utility>

constexpr auto relaxed = std::memory_order_relaxed;
std::atomic<int> x, y;
int a, b;

template <class First, class Second> void Both(First first, Second second) {
  x.store(0, relaxed);
  y.store(0, relaxed);
  std::thread one(first), other(second);
  one.join();
  other.join();
}

int main(int, char **argv) {
  std::set<std::pair<int, int>> states;
  heddle::Result result = heddle::Exhaust([&] {
    if (!strcmp(argv[1], "SB")) {
      Both([] { x.store(1, relaxed), a = y.load(relaxed); },
           [] { y.store(1, relaxed), b = x.load(relaxed); });
    } else if (!strcmp(argv[1], "MP")) {
      Both([] { x.store(1, relaxed), y.store(1, relaxed); },
           [] { a = y.load(relaxed), b = x.load(relaxed); });
    } else {
      Both([] { x.store(1, relaxed), y.store(2, relaxed); },
           [] { y.store(1, relaxed), x.store(2, relaxed); });
      a = x.load(relaxed), b = y.load(relaxed);
    }
    states.insert({a, b});
  });
  printf("States %d\n", int(states.size()));
  return !result.complete;
}
