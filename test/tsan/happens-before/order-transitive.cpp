// Happens-before is transitive: T1 publishes to T2 through x, T2 to T3 through y, and T3 knows what
// T1 did. A relaxed load in the middle breaks the chain, for T2 itself and so for T3.
//
// RUN: %clangxx_heddle -DMIDDLE=acquire %s -o %t && %expect_clean %t
// RUN: %clangxx_heddle -DMIDDLE=relaxed %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int data;
alignas(8) atomic<int> x, y;

static void Publish() {
  data = 1;
  x.store(1, release);
}

static void PassOn() {
  EXPECT(x.load(MIDDLE) == 1);
  y.store(1, release);
}

static void Consume() {
  EXPECT(y.load(acquire) == 1);
  EXPECT(data == 1);
}

int main() { Interleave({{T1, Publish}, {T2, PassOn}, {T3, Consume}}); }

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T3
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Publish()
// CHECK: reported 1 warnings
