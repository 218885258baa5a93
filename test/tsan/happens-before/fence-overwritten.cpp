// What a release fence has put into an object is gone when another thread stores there without a
// fence of its own. The head of the sequence is T1's store, and T2's store is not part of it.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int data;
alignas(8) atomic<int> x;

static void Publish() {
  data = 1;
  atomic_thread_fence(release);
  x.store(1, relaxed);
}

static void Overwrite() { x.store(2, relaxed); }

static void Consume() {
  EXPECT(x.load(relaxed) == 2);
  atomic_thread_fence(acquire);
  EXPECT(data == 1);
}

int main() { Interleave({{T1, Publish}, {T2, Overwrite}, {T3, Consume}}); }

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T3
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Publish()
// CHECK: reported 1 warnings
