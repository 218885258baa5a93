// An object is accessed as volatile by one thread and plainly by another: a race with every
// volatile_order, as it would be with an atomic.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS=volatile_order=plain %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: env TSAN_OPTIONS=volatile_order=relaxed %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: env TSAN_OPTIONS=volatile_order=acq_rel %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int x, y;

static void WritePlain() { x = 1; }
static void ReadVolatile() { EXPECT(*(volatile int *)&x == 1); }
static void ReadPlain() { EXPECT(y == 0); }
static void WriteVolatile() { *(volatile int *)&y = 1; }

int main() {
  Interleave({{T1, WritePlain}, {T2, ReadVolatile}, {T1, ReadPlain}, {T2, WriteVolatile}});
}

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: {{Read|Atomic read}} of size 4 {{.*}} by thread T2
// CHECK-NEXT: #0 ReadVolatile()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 WritePlain()
// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: {{Write|Atomic write}} of size 4 {{.*}} by thread T2
// CHECK-NEXT: #0 WriteVolatile()
// CHECK: Previous read of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 ReadPlain()
// CHECK: reported 2 warnings
