// Two seq_cst fences with nothing between them to read, one after the other: no happens-before.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int data;
alignas(8) atomic<int> x, y;

static void First() {
  data = 1;
  atomic_thread_fence(seq_cst);
  x.store(1, relaxed);
  atomic_thread_fence(seq_cst);
}

static void Second() {
  EXPECT(y.load(relaxed) == 0); // Not what First() has stored.
  atomic_thread_fence(seq_cst);
  EXPECT(data == 1);
}

int main() { Interleave({{T1, First}, {T2, Second}}); }

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T2
// CHECK-NEXT: #0 Second()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 First()
// CHECK: reported 1 warnings
