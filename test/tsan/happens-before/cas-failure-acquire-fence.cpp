// A compare-exchange that fails with a relaxed order is a relaxed load: an acquire fence after it
// makes it synchronise.
//
// RUN: %clangxx_heddle -DFENCE="atomic_thread_fence(acquire)" %s -o %t && %expect_clean %t
// RUN: %clangxx_heddle -DFENCE= %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int data;
alignas(8) atomic<int> flag;

static void Publish() {
  data = 1;
  flag.store(1, release);
}

static void Fail() {
  int expected = 0;
  EXPECT(!flag.compare_exchange_strong(expected, 2, relaxed, relaxed));
  FENCE;
  EXPECT(data == 1);
}

int main() { Interleave({{T1, Publish}, {T2, Fail}}); }

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T2
// CHECK-NEXT: #0 Fail()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Publish()
// CHECK: reported 1 warnings
