// A relaxed read-modify-write after a release fence publishes what came before the fence, as a
// store would. Without the fence it publishes nothing.
//
// RUN: %clangxx_heddle -DFENCE="atomic_thread_fence(release)" %s -o %t && %expect_clean %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_clean %t
// RUN: %clangxx_heddle -DFENCE= %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int data;
alignas(8) atomic<int> x;

static void Publish() {
  data = 1;
  FENCE;
  EXPECT(x.fetch_add(1, relaxed) == 0);
}

static void Increment() { EXPECT(x.fetch_add(1, relaxed) == 1); }

static void Consume() {
  EXPECT(x.load(acquire) == 2);
  EXPECT(data == 1);
}

int main() { Interleave({{T1, Publish}, {T2, Increment}, {T3, Consume}}); }

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T3
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Publish()
// CHECK: reported 1 warnings
