// A relaxed store publishes what came before the release fence, not what came before the store: the
// write between the two is not covered.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int before, between;
alignas(8) atomic<int> flag;

static void Publish() {
  before = 1;
  atomic_thread_fence(release);
  between = 1;
  flag.store(1, relaxed);
}

static void Consume() {
  EXPECT(flag.load(acquire) == 1);
  EXPECT(before == 1);
  EXPECT(between == 1);
}

int main() { Interleave({{T1, Publish}, {T2, Consume}}); }

// CHECK-NOT: Location is global 'before'
// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T2
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Publish()
// CHECK: Location is global 'between'
// CHECK: reported 1 warnings
