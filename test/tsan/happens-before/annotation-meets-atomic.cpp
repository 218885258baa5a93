// Annotations on the address of an atomic and the atomic's own operations see each other: an
// acquire load takes what __tsan_release() gave, __tsan_acquire() takes what a release store gave.
// That is how the annotations have always worked, and programs rely on it.
//
// RUN: %clangxx_heddle %s -o %t && %expect_clean %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_clean %t
// RUN: env TSAN_OPTIONS=exact_happens_before=0 %expect_clean %t
#include "heddle_test.h"
#include <sanitizer/tsan_interface.h>

alignas(8) int a, b;
alignas(8) atomic<int> x, y;

static void Annotate() {
  a = 1;
  __tsan_release(&x);
}
static void Load() {
  EXPECT(x.load(acquire) == 0);
  EXPECT(a == 1);
}
static void Store() {
  b = 1;
  y.store(1, release);
}
static void Acquire() {
  __tsan_acquire(&y);
  EXPECT(b == 1);
}

int main() { Interleave({{T1, Annotate}, {T2, Load}, {T1, Store}, {T2, Acquire}}); }
