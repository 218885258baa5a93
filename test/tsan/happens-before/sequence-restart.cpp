// After a cut a new release operation starts a new sequence, and publishes its own thread's past
// only: T3's release read-modify-write on the value of T2's relaxed store says nothing of T1.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int old_data, new_data;
alignas(8) atomic<int> x;

static void Publish() {
  old_data = 1;
  x.store(1, release);
}

static void Cut() { x.store(2, relaxed); }

static void Restart() {
  new_data = 1;
  x.fetch_add(1, release);
}

static void Consume() {
  EXPECT(x.load(acquire) == 3);
  EXPECT(new_data == 1);
  EXPECT(old_data == 1);
}

int main() { Interleave({{T1, Publish}, {T2, Cut}, {T3, Restart}, {T4, Consume}}); }

// CHECK-NOT: Location is global 'new_data'
// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T4
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Publish()
// CHECK: Location is global 'old_data'
// CHECK: reported 1 warnings
