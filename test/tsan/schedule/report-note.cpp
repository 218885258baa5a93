// A report of a data race names the schedule and how to repeat it; with verbosity=1 so
// does the end of a run. A seed of 0 is drawn.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS=schedule=pct:seed=7:schedule_depth=2 %expect_race %t x y > %t.out 2>&1
// RUN: %FileCheck %s < %t.out
// CHECK: WARNING: ThreadSanitizer: data race
// CHECK: Schedule: pct, seed 7, tick {{[0-9]+}}. To repeat it:
// CHECK-NEXT: TSAN_OPTIONS="schedule=pct seed=7 schedule_depth=2" {{.*}} x y
// CHECK: SUMMARY: ThreadSanitizer: data race
//
// RUN: env TSAN_OPTIONS=schedule=random:verbosity=1:report_bugs=0 %t 2>&1 | %FileCheck --check-prefix=END %s
// END: Schedule: random, seed {{[1-9][0-9]*}}, tick {{[0-9]+}}. To repeat it:
//
// RUN: env TSAN_OPTIONS=schedule=queue:schedule_log=%t.log %expect_race %t > %t.out 2>&1
// RUN: %FileCheck --check-prefix=QUEUE %s < %t.out
// QUEUE: Schedule: queue, seed {{[0-9]+}}, tick {{[0-9]+}}. To repeat it:
// QUEUE-NEXT: TSAN_OPTIONS="schedule=replay schedule_log={{.*}}.log" {{.*}}
//
// RUN: %expect_race %t > %t.out 2>&1
// RUN: %FileCheck --check-prefix=NONE %s < %t.out
// NONE-NOT: Schedule:
#include <atomic>
#include <thread>

int shared;
std::atomic<bool> written{false};

int main() {
  std::thread thread([] {
    shared = 1;
    written.store(true, std::memory_order_relaxed);
  });
  // Two accesses in the same nanosecond may hide each other. This orders nothing.
  while (!written.load(std::memory_order_relaxed))
    std::this_thread::yield();
  shared = 2;
  thread.join();
}
