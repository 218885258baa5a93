// Waiters are woken by their bits, and moved from one futex to another.
//
// RUN: %clangxx_heddle %s -I%S/Inputs -o %t && %every_schedule %t
#include "futex_test.h"
#include <thread>

Word word{7}, other{8};
std::atomic<int> woken;

// As many are moved from the futex to the futex itself as wait for it.
static void UntilWaiting(long count) {
  while (Futex(&word, FUTEX_CMP_REQUEUE, 0, Count(INT_MAX), &word, 7).value != count)
    sched_yield();
}

static void Wait(unsigned bits) {
  EXPECT(Futex(&word, FUTEX_WAIT_BITSET, 7, nullptr, nullptr, bits) == kOk);
  woken |= bits;
}

int main() {
  std::thread first(Wait, 1), second(Wait, 2), third(Wait, 4);
  UntilWaiting(3);
  EXPECT(Futex(&word, FUTEX_WAKE_BITSET, INT_MAX, nullptr, nullptr, 8) == kOk);
  EXPECT((Futex(&word, FUTEX_WAKE_BITSET, INT_MAX, nullptr, nullptr, 2) == Result{1, 0}));
  second.join();
  EXPECT(woken == 2);
  EXPECT(Futex(&word, FUTEX_CMP_REQUEUE, 0, Count(1), &other, 6) == Error(EAGAIN));
  EXPECT((Futex(&word, FUTEX_CMP_REQUEUE, 0, Count(1), &other, 7) == Result{1, 0}));
  EXPECT(Futex(&word, FUTEX_REQUEUE, 0, Count(INT_MAX), &other) == kOk);
  EXPECT(Futex(&word, FUTEX_WAKE, INT_MAX) == kOk);
  EXPECT((Futex(&other, FUTEX_WAKE, 1) == Result{1, 0}));
  EXPECT((Futex(&other, FUTEX_WAKE, 1) == Result{1, 0}));
  first.join();
  third.join();
  EXPECT(woken == 7);

  // FUTEX_WAKE_OP: other += 2; wakes those of word, and since other was not above 8, those of other.
  std::thread fourth(Wait, 1);
  UntilWaiting(1);
  EXPECT((Futex(&word, FUTEX_WAKE_OP, 1, Count(1), &other,
                FUTEX_OP(FUTEX_OP_ADD, 2, FUTEX_OP_CMP_LE, 8)) == Result{1, 0}));
  fourth.join();
  EXPECT(other == 10);
}
