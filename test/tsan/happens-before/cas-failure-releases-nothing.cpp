// A compare-exchange that fails stores nothing and so releases nothing: not by its own success
// order, and not by a release fence before it.
//
// RUN: %clangxx_heddle -DEXPECTED=1 %s -o %t && %expect_clean %t
// RUN: %clangxx_heddle -DEXPECTED=0 %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: %clangxx_heddle -DEXPECTED=0 -DFENCE %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int data;
alignas(8) atomic<int> x;

static void Initialise() { x.store(1, relaxed); }

static void Publish() {
  data = 1;
#ifdef FENCE
  atomic_thread_fence(release);
#endif
  int expected = EXPECTED;
  EXPECT(x.compare_exchange_strong(expected, 2, seq_cst, seq_cst) == EXPECTED);
}

static void Consume() {
  EXPECT(x.load(acquire) == 1 + EXPECTED);
  EXPECT(data == 1);
}

int main() { Interleave({{T3, Initialise}, {T1, Publish}, {T2, Consume}}); }

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T2
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Publish()
// CHECK: reported 1 warnings
