// What a relaxed load has read becomes known at the acquire fence, not at the load: the read
// between the two races.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int between, after;
alignas(8) atomic<int> flag;

static void Publish() {
  between = after = 1;
  flag.store(1, release);
}

static void Consume() {
  EXPECT(flag.load(relaxed) == 1);
  EXPECT(between == 1);
  atomic_thread_fence(acquire);
  EXPECT(after == 1);
}

int main() { Interleave({{T1, Publish}, {T2, Consume}}); }

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T2
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Publish()
// CHECK: Location is global 'between'
// CHECK-NOT: Location is global 'after'
// CHECK: reported 1 warnings
