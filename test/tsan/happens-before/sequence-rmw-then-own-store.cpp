// Another thread's read-modify-write does not come between T1 and its own sequence: in C++11 T1's
// relaxed store after it still belongs to the sequence that T1 heads. In C++20 it ends it.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_clean %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx20 %expect_race -o %t.log %t
// RUN: %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int data;
alignas(8) atomic<int> x;

static void Publish() {
  data = 1;
  x.store(1, release);
}

static void Increment() { x.fetch_add(1, relaxed); }
static void Store() { x.store(3, relaxed); }

static void Consume() {
  EXPECT(x.load(acquire) == 4);
  EXPECT(data == 1);
}

int main() {
  Interleave({{T1, Publish}, {T2, Increment}, {T1, Store}, {T2, Increment}, {T3, Consume}});
}

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T3
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Publish()
// CHECK: reported 1 warnings
