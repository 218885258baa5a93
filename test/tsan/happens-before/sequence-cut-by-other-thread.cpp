// A relaxed store by another thread ends the release sequence: T3 reads T2's store and so does not
// synchronise with T1, although T2 itself had acquired from T1 before. Both definitions agree. With
// exact_happens_before=0 the relaxed store leaves no mark, and the race is missed as it is
// upstream.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: env TSAN_OPTIONS=release_sequence=cxx20 %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: env TSAN_OPTIONS=exact_happens_before=1 %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: env TSAN_OPTIONS=exact_happens_before=0 %expect_clean %t
#include "heddle_test.h"

alignas(8) int data;
alignas(8) atomic<int> x;

static void Publish() {
  data = 1;
  x.store(1, release);
}

static void Cut() {
  EXPECT(x.load(acquire) == 1);
  x.store(2, relaxed);
}

static void Consume() {
  EXPECT(x.load(acquire) == 2);
  EXPECT(data == 1);
}

int main() { Interleave({{T1, Publish}, {T2, Cut}, {T3, Consume}}); }

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T3
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Publish()
// CHECK: Location is global 'data'
// CHECK: reported 1 warnings
