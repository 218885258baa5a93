// An atomic that is also volatile is an atomic: its operations have the order that they are given,
// whatever volatile_order says.
//
// RUN: %clangxx_heddle -DSTORE=release %s -o %t
// RUN: env TSAN_OPTIONS=volatile_order=plain %expect_clean %t
// RUN: env TSAN_OPTIONS=volatile_order=acq_rel %expect_clean %t
// RUN: %clangxx_heddle -DSTORE=relaxed %s -o %t
// RUN: env TSAN_OPTIONS=volatile_order=plain %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: env TSAN_OPTIONS=volatile_order=acq_rel %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int data;
alignas(8) volatile atomic<int> flag;

static void Publish() {
  data = 1;
  flag.store(1, STORE);
}

static void Consume() {
  EXPECT(flag.load(acquire) == 1);
  EXPECT(data == 1);
}

int main() { Interleave({{T1, Publish}, {T2, Consume}}); }

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T2
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Publish()
// CHECK: reported 1 warnings
