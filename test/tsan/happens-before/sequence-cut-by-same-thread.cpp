// A relaxed store by the thread that heads the release sequence continues it in C++11 and ends it
// in C++20 (P0982), which is the default.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: env TSAN_OPTIONS=release_sequence=cxx20 %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_clean %t
#include "heddle_test.h"

alignas(8) int data;
alignas(8) atomic<int> x;

static void Publish() {
  data = 1;
  x.store(1, release);
}

static void StoreAgain() { x.store(2, relaxed); }

static void Consume() {
  EXPECT(x.load(acquire) == 2);
  EXPECT(data == 1);
}

int main() { Interleave({{T1, Publish}, {T1, StoreAgain}, {T2, Consume}}); }

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T2
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Publish()
// CHECK: reported 1 warnings
