// A fiber has fence clocks of its own, like a thread: switched to without synchronisation, an
// acquire fence on one fiber does not make the loads of another one synchronise.
//
// RUN: %clangxx_heddle -DSTAY %s -o %t && %expect_clean %t
// RUN: %clangxx_heddle %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"
#include <sanitizer/tsan_interface.h>

alignas(8) int data;
alignas(8) atomic<int> flag;

static void Publish() {
  data = 1;
  flag.store(1, release);
}

static void Consume() {
  void *thread = __tsan_get_current_fiber();
  void *fiber = __tsan_create_fiber(0);
  __tsan_switch_to_fiber(fiber, __tsan_switch_to_fiber_no_sync);
  EXPECT(flag.load(relaxed) == 1);
#ifndef STAY
  __tsan_switch_to_fiber(thread, __tsan_switch_to_fiber_no_sync);
#endif
  atomic_thread_fence(acquire);
  EXPECT(data == 1);
#ifdef STAY
  __tsan_switch_to_fiber(thread, __tsan_switch_to_fiber_no_sync);
#endif
  __tsan_destroy_fiber(fiber);
}

int main() { Interleave({{T1, Publish}, {T2, Consume}}); }

// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Read of size 4 {{.*}} by thread T2
// CHECK-NEXT: #0 Consume()
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 Publish()
// CHECK: reported 1 warnings
