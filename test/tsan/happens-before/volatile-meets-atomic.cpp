// One thread uses an atomic operation and the other a volatile access on the same object. With
// relaxed or acq_rel volatile accesses the two belong together: a release store is seen through a
// volatile read and an acquire fence, a volatile write after a release fence through an acquire
// load.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS=volatile_order=relaxed %expect_clean %t
// RUN: env TSAN_OPTIONS=volatile_order=acq_rel %expect_clean %t
// RUN: env TSAN_OPTIONS=volatile_order=plain %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int first, second, x, y;

static void StoreRelease() {
  first = 1;
  __atomic_store_n(&x, 1, __ATOMIC_RELEASE);
}
static void ReadVolatile() {
  EXPECT(*(volatile int *)&x == 1);
  atomic_thread_fence(acquire);
  EXPECT(first == 1);
}
static void WriteVolatile() {
  second = 1;
  atomic_thread_fence(release);
  *(volatile int *)&y = 1;
}
static void LoadAcquire() {
  EXPECT(__atomic_load_n(&y, __ATOMIC_ACQUIRE) == 1);
  EXPECT(second == 1);
}

int main() {
  Interleave({{T1, StoreRelease}, {T2, ReadVolatile}, {T3, WriteVolatile}, {T4, LoadAcquire}});
}

// CHECK: Location is global 'x'
// CHECK: Location is global 'first'
// CHECK: Location is global 'y'
// CHECK: Location is global 'second'
// CHECK: reported 4 warnings
