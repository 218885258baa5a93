// Read-modify-writes without a release head carry nothing: the object starts with its initial value
// (or with a relaxed store), which publishes nothing.
//
// RUN: %clangxx_heddle -DFIRST="x.store(1, release)" %s -o %t && %expect_clean %t
// RUN: %clangxx_heddle -DFIRST="x.store(1, relaxed)" %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: %clangxx_heddle -DFIRST="x.fetch_add(1, relaxed)" %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int data;
alignas(8) atomic<int> x;

static void First() {
  data = 1;
  FIRST;
}

static void Increment() { x.fetch_add(1, acq_rel); }

static void Consume() {
  EXPECT(x.fetch_add(1, acquire) == 2);
  EXPECT(data == 1);
}

int main() { Interleave({{T1, First}, {T2, Increment}, {T3, Consume}}); }

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T3
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 First()
// CHECK: reported 1 warnings
