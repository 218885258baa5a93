// A chain of relaxed read-modify-writes by several threads, the head's among them, carries the
// release sequence as far as it goes. One plain store in the chain, and it carries nothing.
//
// RUN: %clangxx_heddle -DLINK="x.fetch_add(1, relaxed)" %s -o %t && %expect_clean %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_clean %t
// RUN: %clangxx_heddle -DLINK="x.store(4, relaxed)" %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int data;
alignas(8) atomic<int> x;

static void Publish() {
  data = 1;
  x.store(1, release);
}

static void Increment() { x.fetch_add(1, relaxed); }
static void Link() { LINK; }

static void Consume() {
  EXPECT(x.load(acquire) == 6);
  EXPECT(data == 1);
}

int main() {
  Interleave({{T1, Publish},
              {T2, Increment},
              {T3, Increment},
              {T2, Link},
              {T1, Increment},
              {T3, Increment},
              {T4, Consume}});
}

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T4
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Publish()
// CHECK: reported 1 warnings
