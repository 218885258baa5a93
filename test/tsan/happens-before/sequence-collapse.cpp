// T1's store and T2's release read-modify-write both head a sequence; then T2 stores relaxed. In
// C++11 all sequences but T2's own end there: T3 synchronises with T2, and races with T1. In C++20
// a plain store ends every sequence: T3 races with both.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_race -o %t.log %t
// RUN: %FileCheck %s --check-prefixes=CHECK,CXX11 < %t.log
// RUN: env TSAN_OPTIONS=release_sequence=cxx20 %expect_race -o %t.log %t
// RUN: %FileCheck %s --check-prefixes=CHECK,CXX20 < %t.log
#include "heddle_test.h"

alignas(8) int first, second;
alignas(8) atomic<int> x;

static void Publish() {
  first = 1;
  x.store(1, release);
}

static void AddHead() {
  second = 1;
  x.fetch_add(1, release);
}

static void Collapse() { x.store(3, relaxed); }

static void Consume() {
  EXPECT(x.load(acquire) == 3);
  EXPECT(first == 1);
  EXPECT(second == 1);
}

int main() { Interleave({{T1, Publish}, {T2, AddHead}, {T2, Collapse}, {T3, Consume}}); }

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T3
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Publish()
// CHECK: Location is global 'first'
// CXX11-NOT: WARNING
// CXX11: reported 1 warnings
// CXX20: WARNING: ThreadSanitizer: data race
// CXX20: Previous write of size 4 {{.*}} by thread T2
// CXX20-NEXT: #0 AddHead()
// CXX20: Location is global 'second'
// CXX20: reported 2 warnings
