// A release fence and an acquire fence synchronise through a relaxed store and a relaxed load.
// Either fence alone does not.
//
// RUN: %clangxx_heddle -DRELEASE=release -DACQUIRE=acquire %s -o %t && %expect_clean %t
// RUN: %clangxx_heddle -DRELEASE=relaxed -DACQUIRE=acquire %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: %clangxx_heddle -DRELEASE=release -DACQUIRE=relaxed %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int data;
alignas(8) atomic<int> flag;

static void Publish() {
  data = 1;
  atomic_thread_fence(RELEASE); // A relaxed fence does nothing.
  flag.store(1, relaxed);
}

static void Consume() {
  EXPECT(flag.load(relaxed) == 1);
  atomic_thread_fence(ACQUIRE);
  EXPECT(data == 1);
}

int main() { Interleave({{T1, Publish}, {T2, Consume}}); }

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T2
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Publish()
// CHECK: reported 1 warnings
