// atomic_signal_fence() orders a thread with its own signal handlers, and no thread with another:
// the program has thread fences in these places to be free of races.
//
// RUN: %clangxx_heddle -DFENCE=atomic_thread_fence %s -o %t && %expect_clean %t
// RUN: %clangxx_heddle -DFENCE=atomic_signal_fence %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int data;
alignas(8) atomic<int> flag;

static void Publish() {
  data = 1;
  FENCE(seq_cst);
  flag.store(1, relaxed);
}

static void Consume() {
  EXPECT(flag.load(relaxed) == 1);
  FENCE(seq_cst);
  EXPECT(data == 1);
}

int main() { Interleave({{T1, Publish}, {T2, Consume}}); }

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T2
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Publish()
// CHECK: reported 1 warnings
