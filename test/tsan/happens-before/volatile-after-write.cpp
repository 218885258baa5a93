// With volatile_order=acq_rel a volatile write is a release store and a volatile read an acquire
// load, and no more: what the writer does after the write is not published.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS=volatile_order=acq_rel %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int before, after;
alignas(8) volatile int flag;

static void Publish() {
  before = 1;
  flag = 1;
  after = 1;
}

static void Consume() {
  EXPECT(flag == 1);
  EXPECT(before == 1);
  EXPECT(after == 1);
}

int main() { Interleave({{T1, Publish}, {T2, Consume}}); }

// CHECK-NOT: Location is global 'before'
// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T2
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Publish()
// CHECK: Location is global 'after'
// CHECK: reported 1 warnings
