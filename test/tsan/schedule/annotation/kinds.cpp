// How annotations are shown: an acquire or a release each, also where they have no effect. Those
// of a mutex that come while it is held are no operations.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS="schedule=random seed=1 schedule_trace=%t.trace" %t
// RUN: %FileCheck %s < %t.trace
// RUN: env TSAN_OPTIONS="schedule=random seed=1 schedule_trace=%t.off enable_annotations=0" %t
// RUN: diff %t.trace %t.off
//
// What heddle show reads has the address, and no failure.
// RUN: env TSAN_OPTIONS="schedule=random seed=1 execution_file=%t.execution" %t
// RUN: %FileCheck --check-prefix=SHOWN %s < %t.execution
// SHOWN: "kind":"acquire",{{.*}}"object":[[#OBJECT:]]}
// SHOWN: "kind":"release",{{.*}}"object":[[#OBJECT]]}
#include <atomic>
#include <sanitizer/tsan_interface.h>

extern "C" void AnnotateHappensBefore(const char *file, int line, const volatile void *address);
extern "C" void AnnotateHappensAfter(const char *file, int line, const volatile void *address);

int object, mutex;
std::atomic<int> mark;

int main() {
  mark.load();
  __tsan_acquire(&object);
  __tsan_release(&object);
  mark.load();
  AnnotateHappensAfter(__FILE__, __LINE__, &object);
  AnnotateHappensBefore(__FILE__, __LINE__, &object);
  mark.load();
  __tsan_mutex_pre_lock(&mutex, 0);
  mark.exchange(1); // performed, though it orders nothing
  __tsan_mutex_post_lock(&mutex, 0, 0);
  __tsan_mutex_pre_unlock(&mutex, 0);
  mark.store(0);
  __tsan_mutex_post_unlock(&mutex, 0);
}

// CHECK: load
// CHECK-NEXT: acquire
// CHECK-NEXT: release
// CHECK-NEXT: load
// CHECK-NEXT: acquire
// CHECK-NEXT: release
// CHECK-NEXT: load
// CHECK-NEXT: acquire
// CHECK-NEXT: rmw
// CHECK-NEXT: store
// CHECK-NEXT: release
