// A release read-modify-write continues the sequences that it finds and heads one more: a load that
// reads from it, or from a relaxed read-modify-write after it, synchronises with all heads.
// T2 is a head of its own, it does not pass on T1's: T2 has not acquired.
//
// RUN: %clangxx_heddle -DSECOND=release %s -o %t && %expect_clean %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_clean %t
// RUN: %clangxx_heddle -DSECOND=relaxed %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int first, second, third;
alignas(8) atomic<int> x;

static void Publish() {
  first = 1;
  x.store(1, release);
}
static void AddHead() {
  second = 1;
  x.fetch_add(1, SECOND);
}
static void AddThirdHead() {
  third = 1;
  EXPECT(x.exchange(3, release) == 2);
}
static void Increment() { x.fetch_add(1, relaxed); }

static void Consume() {
  EXPECT(x.load(acquire) == 4);
  EXPECT(first == 1);
  EXPECT(second == 1);
  EXPECT(third == 1);
}

int main() {
  Interleave({{T1, Publish}, {T2, AddHead}, {T3, AddThirdHead}, {T2, Increment}, {T4, Consume}});
}

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T4
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T2
// CHECK-NEXT: #0 AddHead()
// CHECK: Location is global 'second'
// CHECK: reported 1 warnings
