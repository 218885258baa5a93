// A compare-exchange that fails only reads: together with a plain read in another thread it is no
// race, whichever comes first. One that succeeds writes, and is one.
//
// RUN: %clangxx_heddle -DEXPECTED=5 %s -o %t
// RUN: %expect_clean %t read-first
// RUN: %expect_clean %t read-last
// RUN: %clangxx_heddle -DEXPECTED=0 %s -o %t
// RUN: %expect_race -o %t.log %t read-first && %FileCheck %s --check-prefix=FIRST < %t.log
// RUN: %expect_race -o %t.log %t read-last && %FileCheck %s --check-prefix=LAST < %t.log
#include "heddle_test.h"
#include <string.h>

alignas(8) int x;

static void Read() { EXPECT(x >= 0); }

static void CompareExchange() {
  int expected = EXPECTED;
  EXPECT(__atomic_compare_exchange_n(&x, &expected, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ==
         (EXPECTED == 0));
}

int main(int, char **argv) {
  if (!strcmp(argv[1], "read-first"))
    Interleave({{T1, Read}, {T2, CompareExchange}});
  else
    Interleave({{T2, CompareExchange}, {T1, Read}});
}

// FIRST: WARNING: ThreadSanitizer: data race
// FIRST-NEXT: Atomic write of size 4 {{.*}} by thread T2
// FIRST-NEXT: #0 CompareExchange()
// FIRST: Previous read of size 4 {{.*}} by thread T1
// FIRST-NEXT: #0 Read()
// FIRST: reported 1 warnings

// LAST: WARNING: ThreadSanitizer: data race
// LAST-NEXT: Read of size 4 {{.*}} by thread T1
// LAST-NEXT: #0 Read()
// LAST: Previous atomic write of size 4 {{.*}} by thread T2
// LAST-NEXT: #0 CompareExchange()
// LAST: reported 1 warnings
