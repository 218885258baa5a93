// A release fence publishes what its thread knew at the fence. What T2 acquires from T1 after the
// fence is not passed on by T2's relaxed store; acquired before the fence it is.
//
// RUN: %clangxx_heddle -DBEFORE="ACQUIRE()" -DAFTER= %s -o %t && %expect_clean %t
// RUN: %clangxx_heddle -DBEFORE= -DAFTER="ACQUIRE()" %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

#define ACQUIRE() EXPECT(x.load(acquire) == 1)

alignas(8) int data;
alignas(8) atomic<int> x, y;

static void Publish() {
  data = 1;
  x.store(1, release);
}

static void PassOn() {
  BEFORE;
  atomic_thread_fence(release);
  AFTER;
  y.store(1, relaxed);
}

static void Consume() {
  EXPECT(y.load(acquire) == 1);
  EXPECT(data == 1);
}

int main() { Interleave({{T1, Publish}, {T2, PassOn}, {T3, Consume}}); }

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T3
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Publish()
// CHECK: reported 1 warnings
