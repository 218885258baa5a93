// What two fibers do is a race if nothing orders it, on one thread too if the switch does not
// (NO_SYNC), under a schedule as without. A switch that synchronises orders it.
//
// RUN: %clangxx_heddle %s -o %t && %expect_clean %t
// RUN: %every_schedule --seeds 1 --options weak_memory=mograph %t
// RUN: %clangxx_heddle -DNO_SYNC %s -o %t.race && %expect_race -o %t.log %t.race
// RUN: %FileCheck %s < %t.log
// RUN: env TSAN_OPTIONS="schedule=random weak_memory=buffer" %expect_race -o %t.log %t.race
// RUN: %FileCheck %s < %t.log
// RUN: %record_and_play --exit 66 %t.race
#include "heddle_test.h"
#include <sanitizer/tsan_interface.h>

#ifdef NO_SYNC
constexpr unsigned kFlags = __tsan_switch_to_fiber_no_sync;
#else
constexpr unsigned kFlags = 0;
#endif

alignas(8) int data;

static void __attribute__((noinline)) WriteByFiber() { data = 1; }

int main() {
  void *thread = __tsan_get_current_fiber(), *fiber = __tsan_create_fiber(0);
  __tsan_switch_to_fiber(fiber, kFlags);
  WriteByFiber();
  __tsan_switch_to_fiber(thread, kFlags);
  data = 2;
  printf("%d\n", data);
}
// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Write of size 4 {{.*}} by main thread
// CHECK: Previous write of size 4 {{.*}} by thread T1
// CHECK-NEXT: #0 WriteByFiber()
