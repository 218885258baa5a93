// seq_cst fences order the accesses around them, which is not happens-before: two of them
// synchronise only like a release and an acquire fence do, through a store after the one and a load
// before the other. In Dekker's pattern the store comes before the fence and the load after it:
// nothing synchronises, even though T2 reads T1's store.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int data;
alignas(8) atomic<int> x, y;

static void First() {
  data = 1;
  x.store(1, relaxed);
  atomic_thread_fence(seq_cst);
  EXPECT(y.load(relaxed) == 0);
}

static void Second() {
  y.store(1, relaxed);
  atomic_thread_fence(seq_cst);
  EXPECT(x.load(relaxed) == 1);
  EXPECT(data == 1);
}

int main() { Interleave({{T1, First}, {T2, Second}}); }

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T2
// CHECK-NEXT: #0 Second()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 First()
// CHECK: reported 1 warnings
