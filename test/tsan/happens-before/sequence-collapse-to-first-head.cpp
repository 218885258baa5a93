// The mirror image of sequence-collapse.cpp: it is T1, the first head, that stores relaxed after
// T2's release read-modify-write. C++11 keeps T1's sequence and drops T2's; C++20 drops both.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_race -o %t.log %t
// RUN: %FileCheck %s --check-prefix=CXX11 < %t.log
// RUN: env TSAN_OPTIONS=release_sequence=cxx20 %expect_race -o %t.log %t
// RUN: %FileCheck %s --check-prefix=CXX20 < %t.log
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

int main() { Interleave({{T1, Publish}, {T2, AddHead}, {T1, Collapse}, {T3, Consume}}); }

// CXX11-NOT: Location is global 'first'
// CXX11: Location is global 'second'
// CXX11: reported 1 warnings
// CXX20: Location is global 'first'
// CXX20: Location is global 'second'
// CXX20: reported 2 warnings
