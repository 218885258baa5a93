// A report has the same frames for an annotation whether there is a schedule or not.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %expect_race %t 2>&1 | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=random seed=1" %expect_race %t 2>&1 | %FileCheck %s
#include <atomic>
#include <sanitizer/tsan_interface.h>
#include <thread>

class Mutex {
public:
  __attribute__((noinline)) void Lock() {
    __tsan_mutex_pre_lock(this, 0);
    while (taken_.exchange(true)) {
    }
    __tsan_mutex_post_lock(this, 0, 0);
  }
  __attribute__((noinline)) void Unlock() {
    __tsan_mutex_pre_unlock(this, 0);
    taken_.store(false);
    __tsan_mutex_post_unlock(this, 0);
  }

private:
  std::atomic<bool> taken_{false};
};

Mutex a, b;

__attribute__((noinline)) void LockBoth(Mutex &first, Mutex &second) {
  first.Lock();
  second.Lock();
  second.Unlock();
  first.Unlock();
}

int main() {
  std::thread([] { LockBoth(a, b); }).join();
  std::thread([] { LockBoth(b, a); }).join();
}

// CHECK: WARNING: ThreadSanitizer: lock-order-inversion
// CHECK: Mutex M0 acquired here while holding mutex M1 in thread T2:
// CHECK-NEXT: #0 __tsan_mutex_pre_lock
// CHECK-NEXT: #1 Mutex::Lock()
// CHECK-NEXT: #2 LockBoth
