// The compiler announces a volatile read to the detector before the read itself. Here the flag is
// written between the two: what counts is the value that was read, so the data are handed over.
// (The test announces by hand what the compiler would, to have the write come in between.)
//
// RUN: %clangxx_heddle -DFENCE=atomic_signal_fence %s -o %t
// RUN: env TSAN_OPTIONS=volatile_order=acq_rel %expect_clean %t
// RUN: env TSAN_OPTIONS=volatile_order=relaxed %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: %clangxx_heddle -DFENCE=atomic_thread_fence %s -o %t
// RUN: env TSAN_OPTIONS=volatile_order=acq_rel %expect_clean %t
// RUN: env TSAN_OPTIONS=volatile_order=relaxed %expect_clean %t
#include "heddle_test.h"

alignas(8) int data;
alignas(8) volatile int flag;

extern "C" void __tsan_volatile_read4(void *address);

__attribute__((noinline, disable_sanitizer_instrumentation)) static int Flag() { return flag; }

static void Announce() { __tsan_volatile_read4((void *)&flag); }

static void Publish() {
  data = 1;
  FENCE(release);
  flag = 1;
}

static void Consume() {
  EXPECT(Flag() == 1);
  FENCE(acquire);
  EXPECT(data == 1);
}

int main() { Interleave({{T2, Announce}, {T1, Publish}, {T2, Consume}}); }

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T2
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Publish()
// CHECK: Location is global 'data'
// CHECK: reported 1 warnings
