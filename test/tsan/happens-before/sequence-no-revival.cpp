// A release sequence that another thread's store has ended stays ended: neither a later relaxed
// store of its first thread nor a later read-modify-write brings it back, in both definitions.
//
// RUN: %clangxx_heddle -DREVIVE="x.store(3, relaxed)" %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: %clangxx_heddle -DREVIVE="x.fetch_add(1, relaxed)" %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int data;
alignas(8) atomic<int> x;

static void Publish() {
  data = 1;
  x.store(1, release);
}

static void Cut() { x.store(2, relaxed); }
static void Revive() { REVIVE; }

static void Consume() {
  EXPECT(x.load(acquire) == 3);
  EXPECT(data == 1);
}

int main() { Interleave({{T1, Publish}, {T2, Cut}, {T1, Revive}, {T3, Consume}}); }

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T3
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Publish()
// CHECK: reported 1 warnings
