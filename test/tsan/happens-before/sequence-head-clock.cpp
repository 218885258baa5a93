// What a C++11 release sequence publishes is fixed by its head: T1's relaxed store continues the
// sequence but adds nothing of what T1 did since. In C++20 the store ends it, and both race.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_race -o %t.log %t
// RUN: %FileCheck %s --check-prefixes=CHECK,CXX11 < %t.log
// RUN: env TSAN_OPTIONS=release_sequence=cxx20 %expect_race -o %t.log %t
// RUN: %FileCheck %s --check-prefixes=CXX20,CHECK < %t.log
#include "heddle_test.h"

alignas(8) int early, late;
alignas(8) atomic<int> x;

static void Publish() {
  early = 1;
  x.store(1, release);
}

static void StoreAgain() {
  late = 1;
  x.store(2, relaxed);
}

static void Consume() {
  EXPECT(x.load(acquire) == 2);
  EXPECT(early == 1);
  EXPECT(late == 1);
}

int main() { Interleave({{T1, Publish}, {T1, StoreAgain}, {T2, Consume}}); }

// CXX11-NOT: global 'early'
// CXX20: Previous write of size 4 {{.*}} by thread T1
// CXX20-NEXT: #0 Publish()
// CXX20: Location is global 'early'
// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T2
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 StoreAgain()
// CHECK: Location is global 'late'
// CXX11: reported 1 warnings
// CXX20: reported 2 warnings
