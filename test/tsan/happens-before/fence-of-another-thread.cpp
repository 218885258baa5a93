// A fence is for the thread that executes it. T2's release fence does not make T1's store a
// release, and T2's acquire fence does not make T3's load an acquire.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int data;
alignas(8) atomic<int> flag;

static void Write() { data = 1; }
static void Fence() { atomic_thread_fence(seq_cst); }
static void Store() { flag.store(1, relaxed); }
static void Load() { EXPECT(flag.load(relaxed) == 1); }
static void Read() { EXPECT(data == 1); }

int main() {
  Interleave({{T1, Write}, {T2, Fence}, {T1, Store}, {T3, Load}, {T2, Fence}, {T3, Read}});
}

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T3
// CHECK-NEXT: #0 Read()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Write()
// CHECK: reported 1 warnings
