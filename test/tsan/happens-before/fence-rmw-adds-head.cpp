// A relaxed read-modify-write after a release fence joins the sequence that it finds and adds its
// own thread's fence to it: T3 synchronises with both threads. A store in its place would keep T2's
// fence and drop T1's sequence.
//
// RUN: %clangxx_heddle -DMODIFY="x.fetch_add(1, relaxed)" %s -o %t && %expect_clean %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_clean %t
// RUN: %clangxx_heddle -DMODIFY="x.store(2, relaxed)" %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int first, second;
alignas(8) atomic<int> x;

static void Publish() {
  first = 1;
  x.store(1, release);
}

static void Join() {
  second = 1;
  atomic_thread_fence(release);
  MODIFY;
}

static void Consume() {
  EXPECT(x.load(acquire) == 2);
  EXPECT(second == 1);
  EXPECT(first == 1);
}

int main() { Interleave({{T1, Publish}, {T2, Join}, {T3, Consume}}); }

// CHECK-NOT: Location is global 'second'
// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T3
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Publish()
// CHECK: Location is global 'first'
// CHECK: reported 1 warnings
