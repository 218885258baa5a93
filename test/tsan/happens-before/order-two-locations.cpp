// Only operations on the same object synchronise. T2 reads a neighbour of the flag, and reads it
// after the flag was set: neither makes T1's store visible, not even with seq_cst on both sides.
//
// RUN: %clangxx_heddle -DREAD=flags[0] -DVALUE=1 %s -o %t && %expect_clean %t
// RUN: %clangxx_heddle -DREAD=flags[1] -DVALUE=0 %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int data;
alignas(8) atomic<int> flags[2];

static void Publish() {
  data = 1;
  flags[0].store(1, seq_cst);
}

static void Consume() {
  EXPECT(READ.load(seq_cst) == VALUE);
  EXPECT(data == 1);
}

int main() { Interleave({{T1, Publish}, {T2, Consume}}); }

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T2
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Publish()
// CHECK: reported 1 warnings
