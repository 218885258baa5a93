// Reference counting, annotated for detectors that do not know fences: the last owner calls
// __tsan_acquire() on the counter and sees what the others released there with fetch_sub().
//
// RUN: %clangxx_heddle -DACQUIRE="__tsan_acquire(&count)" %s -o %t && %expect_clean %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_clean %t
// RUN: env TSAN_OPTIONS=exact_happens_before=0 %expect_clean %t
// RUN: %clangxx_heddle -DACQUIRE= %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"
#include <sanitizer/tsan_interface.h>

int *object = new int(0);
atomic<int> count(2);

static void Drop() {
  *object = 1;
  EXPECT(count.fetch_sub(1, release) == 2);
}

static void DropLast() {
  EXPECT(count.fetch_sub(1, release) == 1);
  ACQUIRE;
  delete object;
}

int main() { Interleave({{T1, Drop}, {T2, DropLast}}); }

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Write of size 8 {{.*}} by thread T2
// CHECK: DropLast()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Drop()
// CHECK: reported 1 warnings
