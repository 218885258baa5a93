// What executions leave in the file of statistics: a row each, and what is new in them.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %python %S/../Inputs/statistics.py %t "schedule=random weak_memory=mograph" 1 1 2 3 | %FileCheck %s
//
// The first shows something new, the same one again does not.
// CHECK: seed 1 threads 3 operations [[OPERATIONS:[1-9][0-9]]] communications [[COMMUNICATIONS:[1-9][0-9]*]] loads 3 stale {{[0-3]}} switches {{[1-9][0-9]*}} reports 0 new_reads_from {{[1-9]}} new_schedule 1 complete 1
// CHECK: seed 1 threads 3 operations [[OPERATIONS]] communications [[COMMUNICATIONS]] loads 3 stale {{[0-3]}} switches {{[1-9][0-9]*}} reports 0 new_reads_from 0 new_schedule 0 complete 1
// CHECK: seed 2
// CHECK: seed 3
//
// A child of the program has no part in it.
// RUN: env CHILD=1 %python %S/../Inputs/statistics.py %t "schedule=random" 1 | %FileCheck --check-prefix=CHILD %s
// CHILD: threads 3
//
// RUN: not env TSAN_OPTIONS="statistics_file=0" %t 2>&1 < /dev/null | %FileCheck --check-prefix=FILE %s
// FILE: statistics_file=0: no file of the size that is needed has this descriptor
#include <atomic>
#include <stdlib.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

std::atomic<int> x, y;

int main() {
  if (getenv("CHILD")) {
    const int child = fork();
    if (!child)
      return 0;
    waitpid(child, nullptr, 0);
  }
  std::thread a([] {
    x.store(1, std::memory_order_relaxed);
    y.fetch_add(1, std::memory_order_relaxed);
  });
  std::thread b([] {
    y.load(std::memory_order_relaxed);
    x.load(std::memory_order_relaxed);
  });
  a.join();
  b.join();
}
