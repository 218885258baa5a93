// T1 releases, writes more, fences, and stores relaxed to the same object. The store is after the
// fence and publishes both writes, whatever the definition of release sequences says about it.
// Without the fence C++11 keeps the first write published, and C++20 neither.
//
// RUN: %clangxx_heddle -DFENCE="atomic_thread_fence(release)" %s -o %t && %expect_clean %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_clean %t
// RUN: %clangxx_heddle -DFENCE= %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s --check-prefix=CXX20 < %t.log
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_race -o %t.log %t
// RUN: %FileCheck %s --check-prefix=CXX11 < %t.log
#include "heddle_test.h"

alignas(8) int first, second;
alignas(8) atomic<int> x;

static void Publish() {
  first = 1;
  x.store(1, release);
  second = 1;
  FENCE;
  x.store(2, relaxed);
}

static void Consume() {
  EXPECT(x.load(acquire) == 2);
  EXPECT(first == 1);
  EXPECT(second == 1);
}

int main() { Interleave({{T1, Publish}, {T2, Consume}}); }

// CXX20: Location is global 'first'
// CXX20: Location is global 'second'
// CXX20: reported 2 warnings
// CXX11-NOT: Location is global 'first'
// CXX11: Location is global 'second'
// CXX11: reported 1 warnings
