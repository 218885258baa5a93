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
// All flags are named on which it depends, and only if they were changed:
// RUN: env TSAN_OPTIONS="schedule=pctwm seed=3 schedule_depth=2 schedule_events=50 history_depth=4 switch_probability=0.5 time_slice_ms=70 livelock_ticks=5000 real_sleep=1 weak_memory=buffer store_history=9 prune=aggressive prune_window=7 read_policy=stale release_sequence=cxx11 volatile_order=relaxed force_seq_cst_atomics=1 verbosity=1 report_bugs=0" %t 2>&1 | %FileCheck --check-prefix=ALL %s
// ALL: TSAN_OPTIONS="schedule=pctwm seed=3 schedule_depth=2 schedule_events=50 history_depth=4 switch_probability=0.5 time_slice_ms=70 livelock_ticks=5000 real_sleep=1 weak_memory=buffer store_history=9 prune=aggressive prune_window=7 read_policy=stale release_sequence=cxx11 volatile_order=relaxed force_seq_cst_atomics=1" {{.*}}
// RUN: env TSAN_OPTIONS="schedule=random seed=3 exact_happens_before=0 verbosity=1 report_bugs=0" %t 2>&1 | %FileCheck --check-prefix=INEXACT %s
// INEXACT: TSAN_OPTIONS="schedule=random seed=3 exact_happens_before=0" {{.*}}
// RUN: env TSAN_OPTIONS="schedule=random seed=3 weak_memory=mograph release_sequence=cxx20 verbosity=1 report_bugs=0" %t 2>&1 | %FileCheck --check-prefix=FEW %s
// FEW: TSAN_OPTIONS="schedule=random seed=3 weak_memory=mograph" {{.*}}
//
// Where the schedule depends on time the race may go unreported: the end of the run says it too.
// RUN: env TSAN_OPTIONS=schedule=queue:schedule_log=%t.log:verbosity=1:report_bugs=0 %t > %t.out 2>&1
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
