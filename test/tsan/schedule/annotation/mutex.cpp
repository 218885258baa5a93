// A mutex of the program's own, which waits in a loop: the loop lets the thread go on that holds
// the mutex, and the same seed gives the same schedule. What it protects is no race.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %every_schedule --seeds 2 %t | %FileCheck %s
// RUN: %every_schedule --seeds 2 %t try | %FileCheck %s
// RUN: %record_and_play %t | %FileCheck %s
// CHECK: 60
#include <atomic>
#include <sanitizer/tsan_interface.h>
#include <stdio.h>
#include <thread>

class Mutex {
public:
  void Lock() {
    __tsan_mutex_pre_lock(this, 0);
    while (taken_.exchange(true, std::memory_order_relaxed)) {
    }
    __tsan_mutex_post_lock(this, 0, 0);
  }
  bool TryLock() {
    __tsan_mutex_pre_lock(this, __tsan_mutex_try_lock);
    const bool locked = !taken_.exchange(true, std::memory_order_relaxed);
    __tsan_mutex_post_lock(
        this, __tsan_mutex_try_lock | (locked ? 0 : __tsan_mutex_try_lock_failed), 0);
    return locked;
  }
  void Unlock() {
    __tsan_mutex_pre_unlock(this, 0);
    taken_.store(false, std::memory_order_relaxed);
    __tsan_mutex_post_unlock(this, 0);
  }

private:
  std::atomic<bool> taken_{false};
};

Mutex mutex;
std::atomic<int> entered;
int sum;

int main(int argc, char **) {
  const auto work = [argc] {
    for (int i = 0; i < 20; i++) {
      if (argc == 1)
        mutex.Lock();
      else
        while (!mutex.TryLock()) {
        }
      entered++; // a switch may come while it is held
      sum++;
      mutex.Unlock();
    }
  };
  std::thread one(work), two(work);
  work();
  one.join();
  two.join();
  printf("%d\n", sum);
}
