// A relaxed read-modify-write of any thread continues the release sequence, so that T3 still
// synchronises with T1. It does not publish what T2 did: T3 does not synchronise with T2.
//
// RUN: %clangxx_heddle -DREAD=head %s -o %t && %expect_clean %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_clean %t
// RUN: %clangxx_heddle -DREAD=middle %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int head, middle;
alignas(8) atomic<int> x;

static void Publish() {
  head = 1;
  x.store(1, release);
}

static void Increment() {
  middle = 1;
  x.fetch_add(1, relaxed);
}

static void Consume() {
  EXPECT(x.load(acquire) == 2);
  EXPECT(READ == 1);
}

int main() { Interleave({{T1, Publish}, {T2, Increment}, {T3, Consume}}); }

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T3
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T2
// CHECK-NEXT: #0 Increment()
// CHECK: Location is global 'middle'
// CHECK: reported 1 warnings
