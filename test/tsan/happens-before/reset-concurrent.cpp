// Threads pass a plain counter around with fences and release sequences while another thread
// flushes all clocks again and again.
//
// RUN: %clangxx_heddle %s -o %t && %expect_clean %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_clean %t
#include "heddle_test.h"

extern "C" void __tsan_flush_memory();

const int kThreads = 3, kRounds = 10000, kFlushes = 100;

int counter;
atomic<int> turn;

int main() {
  Concurrently(kThreads + 1, [](int self) {
    if (self == kThreads) {
      for (int i = 0; i < kFlushes && !OutOfTime(); i++) {
        __tsan_flush_memory();
        sched_yield();
      }
      return;
    }
    for (int i = 0; i < kRounds; i++) {
      if (!WaitUntil([=] { return turn.load(relaxed) % kThreads == self; }))
        return;
      atomic_thread_fence(acquire);
      counter++;
      atomic_thread_fence(release);
      if (i % 2)
        turn.fetch_add(1, relaxed);
      else
        turn.store(turn.load(relaxed) + 1, relaxed);
    }
  });
  EXPECT(counter == turn);
}
