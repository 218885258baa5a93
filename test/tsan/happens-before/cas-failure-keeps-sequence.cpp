// A compare-exchange that fails is no part of the modification order: T1's release sequence goes on
// as if it had not been there. One that succeeds after a cut does not bring T1's sequence back.
//
// RUN: %clangxx_heddle -DSTEP=Fail %s -o %t && %expect_clean %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_clean %t
// RUN: %clangxx_heddle -DSTEP=Cut %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int data;
alignas(8) atomic<int> x;

static void Publish() {
  data = 1;
  x.store(1, release);
}

[[maybe_unused]] static void Fail() {
  int expected = 5;
  EXPECT(!x.compare_exchange_strong(expected, 6, seq_cst, relaxed));
}

[[maybe_unused]] static void Cut() {
  x.store(5, relaxed);
  int expected = 5;
  EXPECT(x.compare_exchange_strong(expected, 1, acq_rel, relaxed));
}

static void Consume() {
  EXPECT(x.load(acquire) == 1);
  EXPECT(data == 1);
}

int main() { Interleave({{T1, Publish}, {T2, STEP}, {T3, Consume}}); }

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T3
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Publish()
// CHECK: reported 1 warnings
