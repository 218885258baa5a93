// A release store and an acquire load that reads it synchronise: what was done before the store is
// known after the load. If either side is relaxed there is nothing between them, and a race.
//
// RUN: %clangxx_heddle -DSTORE=release -DLOAD=acquire %s -o %t && %expect_clean %t
//
// RUN: %clangxx_heddle -DSTORE=relaxed -DLOAD=acquire %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
//
// RUN: %clangxx_heddle -DSTORE=release -DLOAD=relaxed %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int data;
alignas(8) atomic<int> flag;

static void Publish() {
  data = 1;
  flag.store(1, STORE);
}

static void Consume() {
  EXPECT(flag.load(LOAD) == 1);
  EXPECT(data == 1);
}

int main() { Interleave({{T1, Publish}, {T2, Consume}}); }

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T2
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Publish()
// CHECK: Location is global 'data'
// CHECK: reported 1 warnings
