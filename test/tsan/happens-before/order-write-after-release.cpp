// A release store publishes what its thread did before it, not what it does afterwards.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int before, after;
alignas(8) atomic<int> flag;

static void Publish() {
  before = 1;
  flag.store(1, release);
  after = 1;
}

static void Consume() {
  EXPECT(flag.load(acquire) == 1);
  before = 2;
  after = 2;
}

int main() { Interleave({{T1, Publish}, {T2, Consume}}); }

// CHECK-NOT: Location is global 'before'
// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Write of size 4 {{.*}} by thread T2
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Publish()
// CHECK: Location is global 'after'
// CHECK: reported 1 warnings
