// A release store starts a release sequence of its own and ends all others: a load that reads T2's
// store synchronises with T2, and no longer with T1. That holds for both definitions.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int first, second;
alignas(8) atomic<int> flag;

static void Publish() {
  first = 1;
  flag.store(1, release);
}

static void Replace() {
  second = 1;
  flag.store(2, release);
}

static void Consume() {
  EXPECT(flag.load(acquire) == 2);
  EXPECT(second == 1);
  EXPECT(first == 1);
}

int main() { Interleave({{T1, Publish}, {T2, Replace}, {T3, Consume}}); }

// CHECK-NOT: Location is global 'second'
// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T3
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Publish()
// CHECK: Location is global 'first'
// CHECK: reported 1 warnings
