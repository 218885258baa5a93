// A thread that is alone makes many operations in a row that change nothing. It counts, which
// nobody sees: that is no livelock.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS=schedule=random:livelock_ticks=100000 %t
// RUN: env TSAN_OPTIONS=schedule=queue:livelock_ticks=100000 %t
// RUN: env TSAN_OPTIONS=schedule=random:weak_memory=mograph:livelock_ticks=100000 %t
#include <atomic>
#include <mutex>
#include <pthread.h>

static std::atomic<int> changes, bits, flag{1};
static std::once_flag once;

template <class Body> static void Repeat(Body body) {
  for (int i = 0; i < 20000; i++)
    body();
  changes++;
}

int main() {
  Repeat([] { bits &= 1; });
  Repeat([] { flag = 1; });
  Repeat([] { flag.exchange(1); });
  Repeat([] {
    int expected = 0;
    flag.compare_exchange_strong(expected, 1);
  });
  Repeat([] { std::call_once(once, [] {}); });
  Repeat([] { pthread_testcancel(); });
}
