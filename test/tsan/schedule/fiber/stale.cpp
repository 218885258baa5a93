// To the memory model a fiber is a thread: a load in one may read an older store than another has
// made, if nothing orders them. What a switch orders, it does not.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %clangxx_heddle -DNO_SYNC %s -o %t.stale
// RUN: env TSAN_OPTIONS="schedule=random weak_memory=buffer read_policy=oldest" %t | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=random weak_memory=mograph read_policy=oldest" %t | %FileCheck %s
// CHECK: reads 2
// RUN: env TSAN_OPTIONS="schedule=random weak_memory=buffer read_policy=oldest" %t.stale | %FileCheck --check-prefix=STALE %s
// RUN: env TSAN_OPTIONS="schedule=random weak_memory=mograph read_policy=oldest" %t.stale | %FileCheck --check-prefix=STALE %s
// STALE: reads 0
#include "heddle_test.h"
#include <sanitizer/tsan_interface.h>

#ifdef NO_SYNC
constexpr unsigned kFlags = __tsan_switch_to_fiber_no_sync;
#else
constexpr unsigned kFlags = 0;
#endif

std::atomic<int> word;

static void *End(void *) { return nullptr; }

int main() {
  // A strategy begins with the first thread.
  pthread_t other;
  pthread_create(&other, nullptr, End, nullptr);
  void *thread = __tsan_get_current_fiber(), *fiber = __tsan_create_fiber(0);
  word.store(1, std::memory_order_relaxed);
  word.store(2, std::memory_order_relaxed);
  __tsan_switch_to_fiber(fiber, kFlags);
  const int seen = word.load(std::memory_order_relaxed);
  __tsan_switch_to_fiber(thread, kFlags);
  pthread_join(other, nullptr);
  printf("reads %d\n", seen);
}
