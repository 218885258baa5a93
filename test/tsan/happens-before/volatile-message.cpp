// A volatile flag hands over plain data. volatile_order= says what that means: plain (the default)
// is two races; relaxed makes the flag an atomic that orders nothing, so the data still race;
// acq_rel takes the flag for what the author meant it to be.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s --check-prefix=PLAIN < %t.log
// RUN: env TSAN_OPTIONS=volatile_order=plain %expect_race -o %t.log %t
// RUN: %FileCheck %s --check-prefix=PLAIN < %t.log
// RUN: env TSAN_OPTIONS=volatile_order=relaxed %expect_race -o %t.log %t
// RUN: %FileCheck %s --check-prefix=RELAXED < %t.log
// RUN: env TSAN_OPTIONS=volatile_order=acq_rel %expect_clean %t
#include "heddle_test.h"

alignas(8) int data;
alignas(8) volatile int flag;

static void Publish() {
  data = 1;
  flag = 1;
}

static void Consume() {
  EXPECT(flag == 1);
  EXPECT(data == 1);
}

int main() { Interleave({{T1, Publish}, {T2, Consume}}); }

// PLAIN: WARNING: ThreadSanitizer: data race
// PLAIN-NEXT: Read of size 4 {{.*}} by thread T2
// PLAIN-NEXT: #0 Consume()
// PLAIN: Previous write of size 4 {{.*}} by thread T1
// PLAIN-NEXT: #0 Publish()
// PLAIN: Location is global 'flag'
// PLAIN: WARNING: ThreadSanitizer: data race
// PLAIN: Location is global 'data'
// PLAIN: reported 2 warnings

// RELAXED-NOT: Location is global 'flag'
// RELAXED: WARNING: ThreadSanitizer: data race
// RELAXED-NEXT: Read of size 4 {{.*}} by thread T2
// RELAXED-NEXT: #0 Consume()
// RELAXED: Previous write of size 4 {{.*}} by thread T1
// RELAXED-NEXT: #0 Publish()
// RELAXED: Location is global 'data'
// RELAXED: reported 1 warnings
