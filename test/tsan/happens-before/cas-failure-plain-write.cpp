// A compare-exchange that fails reads: a plain write in another thread races with it, whichever
// comes first.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %expect_race -o %t.log %t write-first && %FileCheck %s --check-prefix=FIRST < %t.log
// RUN: %expect_race -o %t.log %t write-last && %FileCheck %s --check-prefix=LAST < %t.log
#include "heddle_test.h"
#include <string.h>

alignas(8) int x;

static void Write() { x = 1; }

static void Fail() {
  int expected = 5;
  EXPECT(!__atomic_compare_exchange_n(&x, &expected, 6, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
}

int main(int, char **argv) {
  if (!strcmp(argv[1], "write-first"))
    Interleave({{T1, Write}, {T2, Fail}});
  else
    Interleave({{T2, Fail}, {T1, Write}});
}

// FIRST: WARNING: ThreadSanitizer: data race
// FIRST-NEXT: Atomic {{.*}} of size 4 {{.*}} by thread T2
// FIRST-NEXT: #0 Fail()
// FIRST: Previous write of size 4 {{.*}} by thread T1
// FIRST-NEXT: #0 Write()
// FIRST: reported 1 warnings

// LAST: WARNING: ThreadSanitizer: data race
// LAST-NEXT: Write of size 4 {{.*}} by thread T1
// LAST-NEXT: #0 Write()
// LAST: Previous atomic {{.*}} of size 4 {{.*}} by thread T2
// LAST-NEXT: #0 Fail()
// LAST: reported 1 warnings
