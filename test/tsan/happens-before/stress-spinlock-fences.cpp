// A spinlock out of relaxed operations and fences. Upstream takes all that it protects for races.
//
// RUN: %clangxx_heddle %s -o %t && %expect_clean %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_clean %t
#include "heddle_test.h"

const int kThreads = 4, kRounds = 50000;

atomic<bool> locked;
int counter;

static bool Lock() {
  if (!WaitUntil([] { return !locked.exchange(true, relaxed); }))
    return false;
  atomic_thread_fence(acquire);
  return true;
}

static void Unlock() {
  atomic_thread_fence(release);
  locked.store(false, relaxed);
}

int main() {
  Concurrently(kThreads, [](int) {
    for (int i = 0; i < kRounds && Lock(); i++) {
      counter++;
      Unlock();
    }
  });
  EXPECT(counter > 0);
}
