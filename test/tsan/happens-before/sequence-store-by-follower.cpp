// T2 continues T1's sequence with a relaxed read-modify-write, which makes T2 a follower and not a
// head: its relaxed store ends the sequence even in C++11. Had T2's been an acq_rel one, T2 would
// head a sequence that includes T1's past, and C++11 would keep that; C++20 still would not.
//
// RUN: %clangxx_heddle -DORDER=relaxed %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: %clangxx_heddle -DORDER=acq_rel %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_clean %t
#include "heddle_test.h"

alignas(8) int data;
alignas(8) atomic<int> x;

static void Publish() {
  data = 1;
  x.store(1, release);
}

static void Increment() { x.fetch_add(1, ORDER); }
static void Store() { x.store(3, relaxed); }

static void Consume() {
  EXPECT(x.load(acquire) == 3);
  EXPECT(data == 1);
}

int main() { Interleave({{T1, Publish}, {T2, Increment}, {T2, Store}, {T3, Consume}}); }

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T3
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Publish()
// CHECK: reported 1 warnings
