// T1 stores to x, y and z after one release fence. T2 then adds its own release to x alone: that
// must not be seen through y, stored before, nor through z, stored afterwards by T1.
//
// RUN: %clangxx_heddle -DREAD=x -DVALUE=2 %s -o %t && %expect_clean %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_clean %t
// RUN: %clangxx_heddle -DREAD=y -DVALUE=1 %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: %clangxx_heddle -DREAD=z -DVALUE=1 %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int first, second;
alignas(8) atomic<int> x, y, z;

static void Publish() {
  first = 1;
  atomic_thread_fence(release);
  x.store(1, relaxed);
  y.store(1, relaxed);
}

static void AddHead() {
  second = 1;
  x.fetch_add(1, release);
}

static void PublishMore() { z.store(1, relaxed); }

static void Consume() {
  EXPECT(READ.load(acquire) == VALUE);
  EXPECT(first == 1);
  EXPECT(second == 1);
}

int main() { Interleave({{T1, Publish}, {T2, AddHead}, {T1, PublishMore}, {T3, Consume}}); }

// CHECK-NOT: Location is global 'first'
// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T3
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T2
// CHECK-NEXT: #0 AddHead()
// CHECK: Location is global 'second'
// CHECK: reported 1 warnings
