// A release fence right after another one changes nothing, and a write after the second is as
// little covered as one after the first. A loop of fences with a write in each round: the store
// after it covers all rounds but what came after the last fence.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

alignas(8) int rounds[100], after;
alignas(8) atomic<int> flag;

static void Publish() {
  for (int &round : rounds) {
    round = 1;
    atomic_thread_fence(release);
    atomic_thread_fence(release);
  }
  after = 1;
  flag.store(1, relaxed);
}

static void Consume() {
  EXPECT(flag.load(acquire) == 1);
  for (int round : rounds)
    EXPECT(round == 1);
  EXPECT(after == 1);
}

int main() { Interleave({{T1, Publish}, {T2, Consume}}); }

// CHECK-NOT: Location is global 'rounds'
// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T2
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Publish()
// CHECK: Location is global 'after'
// CHECK: reported 1 warnings
