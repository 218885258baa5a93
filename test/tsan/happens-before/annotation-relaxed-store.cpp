// __tsan_release() and __tsan_acquire() on the address of an atomic are an agreement of the program
// with the detector, outside of the memory model: a relaxed store to the atomic does not undo the
// annotation before it.
//
// RUN: %clangxx_heddle -DACQUIRE="__tsan_acquire(&x)" %s -o %t && %expect_clean %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_clean %t
// RUN: env TSAN_OPTIONS=exact_happens_before=0 %expect_clean %t
// RUN: %clangxx_heddle -DACQUIRE= %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"
#include <sanitizer/tsan_interface.h>

alignas(8) int data;
alignas(8) atomic<int> x;

static void Publish() {
  data = 1;
  __tsan_release(&x);
  x.store(1, relaxed);
}

static void Consume() {
  EXPECT(x.load(relaxed) == 1);
  ACQUIRE;
  EXPECT(data == 1);
}

int main() { Interleave({{T1, Publish}, {T2, Consume}}); }

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T2
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Publish()
// CHECK: reported 1 warnings
