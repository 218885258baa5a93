// Two threads take turns through a volatile variable. The compiler announces a volatile access
// before it happens, and the other thread may come between the two: no false alarm all the same.
// Without fences that needs acq_rel, and hardware that orders volatile accesses by itself.
//
// RUN: %clangxx_heddle -DFENCE=atomic_thread_fence %s -o %t
// RUN: env TSAN_OPTIONS=volatile_order=relaxed %expect_clean %t
// RUN: env TSAN_OPTIONS=volatile_order=acq_rel %expect_clean %t
// RUN: %clangxx_heddle -DFENCE=atomic_signal_fence %s -o %t
// RUN: %if x86_64 %{ env TSAN_OPTIONS=volatile_order=acq_rel %expect_clean %t %}
#include "heddle_test.h"

const int kThreads = 2, kRounds = 300000;

volatile int turn;
int counter;

int main() {
  Concurrently(kThreads, [](int self) {
    for (int i = 0; i < kRounds && WaitUntil([=] { return turn == self; }); i++) {
      FENCE(acquire);
      counter++;
      FENCE(release);
      turn = !self;
    }
  });
  EXPECT(counter % kThreads == turn);
}
