// With volatile_order=relaxed a volatile access is a relaxed atomic, and fences around it work as
// they do around one: the release fence before the write and the acquire fence after the read.
// Without the fences, or with plain volatile accesses, they order nothing.
//
// RUN: %clangxx_heddle -DFENCE=atomic_thread_fence %s -o %t
// RUN: env TSAN_OPTIONS=volatile_order=relaxed %expect_clean %t
// RUN: env TSAN_OPTIONS=volatile_order=acq_rel %expect_clean %t
// RUN: env TSAN_OPTIONS=volatile_order=plain %expect_race -o %t.log %t
// RUN: %FileCheck %s --check-prefixes=PLAIN,CHECK < %t.log
// RUN: %clangxx_heddle -DFENCE=atomic_signal_fence %s -o %t
// RUN: env TSAN_OPTIONS=volatile_order=relaxed %expect_race -o %t.log %t
// RUN: %FileCheck %s --check-prefixes=CHECK,RELAXED < %t.log
#include "heddle_test.h"

alignas(8) int data;
alignas(8) volatile int flag;

static void Publish() {
  data = 1;
  FENCE(release);
  flag = 1;
}

static void Consume() {
  EXPECT(flag == 1);
  FENCE(acquire);
  EXPECT(data == 1);
}

int main() { Interleave({{T1, Publish}, {T2, Consume}}); }

// PLAIN: Location is global 'flag'
// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T2
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Publish()
// CHECK: Location is global 'data'
// PLAIN: reported 2 warnings
// RELAXED: reported 1 warnings
