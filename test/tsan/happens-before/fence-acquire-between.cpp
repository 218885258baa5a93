// Two release fences with nothing but an acquire of some kind between them. The second one
// publishes what was acquired, even though the thread itself has done nothing else in between.
//
// RUN: %clangxx_heddle -DACQUIRE="atomic_thread_fence(acquire)" %s -o %t && %expect_clean %t
// RUN: %clangxx_heddle -DACQUIRE="(void)x.load(acquire)" %s -o %t && %expect_clean %t
// RUN: %clangxx_heddle -DACQUIRE="__tsan_acquire(&x)" %s -o %t && %expect_clean %t
// RUN: %clangxx_heddle -DACQUIRE="__tsan_acquire(&annotated)" %s -o %t && %expect_clean %t
// RUN: %clangxx_heddle -DACQUIRE="SwitchFibers()" %s -o %t && %expect_clean %t
// RUN: %clangxx_heddle -DACQUIRE="(void)x.load(relaxed)" %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"
#include <sanitizer/tsan_interface.h>

alignas(8) int data, annotated;
alignas(8) atomic<int> x, y;

static void Publish() {
  data = 1;
  __tsan_release(&annotated);
  x.store(1, release);
}

[[maybe_unused]] static void SwitchFibers() {
  void *thread = __tsan_get_current_fiber();
  void *fiber = __tsan_create_fiber(0);
  __tsan_switch_to_fiber(fiber, __tsan_switch_to_fiber_no_sync);
  (void)x.load(acquire);
  __tsan_switch_to_fiber(thread, 0);
  __tsan_destroy_fiber(fiber);
}

static void PassOn() {
  (void)x.load(relaxed);
  atomic_thread_fence(release);
  ACQUIRE;
  atomic_thread_fence(release);
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
