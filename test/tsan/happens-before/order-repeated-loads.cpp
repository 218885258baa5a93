// A thread loads the same released value again and again, relaxed and acquire, before and after a
// fence: what it knows is what its latest acquire made known, not more and not less. T1 publishes
// twice through the same flag; T2 acquires the first value only.
//
// RUN: %clangxx_heddle -DAGAIN="(void)flag.load(acquire)" %s -o %t && %expect_clean %t
// RUN: %clangxx_heddle -DAGAIN="atomic_thread_fence(acquire)" %s -o %t && %expect_clean %t
// RUN: %clangxx_heddle -DAGAIN="(void)flag.load(relaxed)" %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int first, second;
alignas(8) atomic<int> flag;

static void Publish() {
  first = 1;
  flag.store(1, release);
}

static void ConsumeFirst() {
  EXPECT(flag.load(relaxed) == 1);
  EXPECT(flag.load(acquire) == 1);
  EXPECT(flag.load(relaxed) == 1);
  atomic_thread_fence(acquire);
  EXPECT(flag.load(acquire) == 1);
  EXPECT(first == 1);
}

static void PublishAgain() {
  second = 1;
  flag.store(2, release);
}

static void Consume() {
  EXPECT(flag.load(relaxed) == 2);
  EXPECT(flag.load(relaxed) == 2);
  AGAIN;
  EXPECT(second == 1);
}

int main() { Interleave({{T1, Publish}, {T2, ConsumeFirst}, {T1, PublishAgain}, {T2, Consume}}); }

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T2
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 PublishAgain()
// CHECK: reported 1 warnings
