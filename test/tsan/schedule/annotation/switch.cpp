// A counter whose own accesses are not instrumented, as in a library with assembly of its own: the
// annotations are all that a schedule sees of it. An update is lost if a thread is stopped between
// its load and its store, and nothing but the annotation is there.
//
// RUN: %clangxx_heddle -DANNOTATION=TSAN %s -o %t
// RUN: env TSAN_OPTIONS=one_at_a_time=1 %expect_exit 1 %t 2>&1 | %FileCheck %s
// RUN: %clangxx_heddle -DANNOTATION=OLD %s -o %t
// RUN: env TSAN_OPTIONS=one_at_a_time=1 %expect_exit 1 %t 2>&1 | %FileCheck %s
// RUN: %clangxx_heddle -DANNOTATION=MUTEX %s -o %t
// RUN: env TSAN_OPTIONS=one_at_a_time=1 %expect_exit 1 %t 2>&1 | %FileCheck %s
// RUN: %clangxx_heddle -DANNOTATION=NONE %s -o %t
// RUN: env TSAN_OPTIONS=one_at_a_time=1 %t 2>&1 | %FileCheck --check-prefix=NONE %s
#include <sanitizer/heddle_interface.h>
#include <sanitizer/tsan_interface.h>
#include <thread>

#define TSAN 1
#define OLD 2
#define MUTEX 3
#define NONE 4

extern "C" void AnnotateHappensBefore(const char *file, int line, const volatile void *address);
extern "C" void AnnotateHappensAfter(const char *file, int line, const volatile void *address);

int counter;

__attribute__((noinline, disable_sanitizer_instrumentation)) int Get() { return counter; }
__attribute__((noinline, disable_sanitizer_instrumentation)) void Set(int value) {
  counter = value;
}

void Increment() {
  const int seen = Get();
#if ANNOTATION == TSAN
  __tsan_acquire(&counter);
  __tsan_release(&counter);
#elif ANNOTATION == OLD
  AnnotateHappensAfter(__FILE__, __LINE__, &counter);
  AnnotateHappensBefore(__FILE__, __LINE__, &counter);
#elif ANNOTATION == MUTEX
  __tsan_mutex_pre_lock(&counter, 0);
  __tsan_mutex_post_lock(&counter, 0, 0);
  __tsan_mutex_pre_unlock(&counter, 0);
  __tsan_mutex_post_unlock(&counter, 0);
#endif
  Set(seen + 1);
}

int main() {
  return !heddle::Exhaust([] {
    Set(0);
    std::thread other(Increment);
    Increment();
    other.join();
    return Get() == 2;
  });
}

// CHECK: heddle::Exhaust: an execution has failed: the body says so.
// NONE: heddle::Exhaust: all {{[0-9]+}} executions, 0 failed.
