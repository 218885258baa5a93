// The latest release fence counts: a store after it publishes all that came before it. A store
// between the two fences published less, and a load that has read that one knows less.
//
// RUN: %clangxx_heddle -DREAD=y %s -o %t && %expect_clean %t
// RUN: %clangxx_heddle -DREAD=x %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int first, second;
alignas(8) atomic<int> x, y;

static void Publish() {
  first = 1;
  atomic_thread_fence(release);
  x.store(1, relaxed);
  second = 1;
  atomic_thread_fence(release);
  y.store(1, relaxed);
}

static void Consume() {
  EXPECT(READ.load(acquire) == 1);
  EXPECT(first == 1);
  EXPECT(second == 1);
}

int main() { Interleave({{T1, Publish}, {T2, Consume}}); }

// CHECK-NOT: Location is global 'first'
// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T2
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Publish()
// CHECK: Location is global 'second'
// CHECK: reported 1 warnings
