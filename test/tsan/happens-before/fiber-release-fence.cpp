// A fiber has fence clocks of its own, like a thread: switched to without synchronisation, a
// release fence on one fiber does not make the stores of another one publish anything.
//
// RUN: %clangxx_heddle -DSTAY %s -o %t && %expect_clean %t
// RUN: %clangxx_heddle %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"
#include <sanitizer/tsan_interface.h>

alignas(8) int data;
alignas(8) atomic<int> flag;

static void Publish() {
  void *thread = __tsan_get_current_fiber();
  void *fiber = __tsan_create_fiber(0);
  __tsan_switch_to_fiber(fiber, __tsan_switch_to_fiber_no_sync);
  data = 1;
  atomic_thread_fence(release);
#ifdef STAY
  flag.store(1, relaxed);
#endif
  __tsan_switch_to_fiber(thread, __tsan_switch_to_fiber_no_sync);
#ifndef STAY
  flag.store(1, relaxed);
#endif
  __tsan_destroy_fiber(fiber);
}

static void Consume() {
  EXPECT(flag.load(acquire) == 1);
  EXPECT(data == 1);
}

int main() { Interleave({{T1, Publish}, {T2, Consume}}); }

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T2
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4
// CHECK: Location is global 'data'
// CHECK: reported 1 warnings
