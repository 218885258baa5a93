// FUTEX_WAIT and FUTEX_WAKE made by the program itself: a mutex after U. Drepper, "Futexes Are
// Tricky", and the errors that do not wait.
//
// RUN: %clangxx_heddle %s -I%S/Inputs -o %t && %every_schedule %t
#include "futex_test.h"
#include <thread>

struct Mutex {
  Word word{0}; // 0 free, 1 taken, 2 taken and somebody waits
  void lock() {
    unsigned seen = 0;
    if (word.compare_exchange_strong(seen, 1))
      return;
    if (seen != 2)
      seen = word.exchange(2);
    while (seen != 0) {
      Result result = Futex(&word, FUTEX_WAIT, 2);
      EXPECT(result == kOk || result == Error(EAGAIN));
      seen = word.exchange(2);
    }
  }
  void unlock() {
    if (word.exchange(0) == 2)
      EXPECT(Futex(&word, FUTEX_WAKE, 1).value <= 1);
  }
} mutex;
int counter;

int main() {
  std::thread threads[4];
  for (auto &thread : threads)
    thread = std::thread([] {
      for (int i = 0; i < 5; i++) {
        mutex.lock();
        counter++;
        mutex.unlock();
      }
    });
  for (auto &thread : threads)
    thread.join();
  EXPECT(counter == 20);

  Word word{1};
  EXPECT(Futex(&word, FUTEX_WAIT, 2) == Error(EAGAIN));
  EXPECT(Futex(&word, FUTEX_WAKE, 1) == kOk);
  EXPECT(Futex(nullptr, FUTEX_WAIT, 0) == Error(EFAULT));
  EXPECT(Futex((Word *)((char *)&word + 1), FUTEX_WAIT, 0) == Error(EINVAL));
  EXPECT(Futex(&word, FUTEX_WAIT_BITSET, 1) == Error(EINVAL));
  EXPECT(Futex(&word, 99, 1) == Error(ENOSYS));
  timespec wrong = {0, 1000000000};
  EXPECT(Futex(&word, FUTEX_WAIT, 1, &wrong) == Error(EINVAL));
}
