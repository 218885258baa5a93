// A futex orders memory. The kernel compares with the last store to the word: a thread that was
// told EAGAIN, or that has waited, reads nothing older there. A thread that was woken has seen
// what its waker did before. Both protocols are correct, and end under every engine.
//
// RUN: %clangxx_heddle %s -I%S/../schedule/futex/Inputs -o %t
// RUN: %every_engine --scheduled --seeds 100 %t
// RUN: %every_engine --scheduled --seeds 100 --options "read_policy=oldest" %t
#include "futex_test.h"
#include <thread>

const int kRounds = 4;

// After the completion of liburcu's grace periods: a waiter that the kernel told of another value
// looks at the word no more.
struct Countdown {
  std::atomic<int> futex{0}, work{0};
  Word *word() { return reinterpret_cast<Word *>(&futex); }

  void Await() {
    futex.fetch_sub(1, relaxed);
    std::atomic_thread_fence(seq_cst);
    if (work.load(relaxed)) {
      futex.store(0, relaxed);
    } else {
      while (Futex(word(), FUTEX_WAIT, -1u) == kOk) {
      }
      EXPECT(errno == EAGAIN);
    }
    std::atomic_thread_fence(seq_cst);
  }
  void Add() {
    work.fetch_add(1, relaxed);
    std::atomic_thread_fence(seq_cst);
    if (futex.load(relaxed) != -1)
      return;
    futex.store(0, relaxed);
    Futex(word(), FUTEX_WAKE, 1);
  }
};

static void CountDown() {
  Countdown countdown;
  std::thread waiter([&] {
    for (int done = 0; done < kRounds;) {
      countdown.Await();
      const int futex = countdown.futex.load(relaxed);
      EXPECT(futex == 0);
      done += countdown.work.exchange(0, relaxed);
    }
  });
  for (int i = 0; i < kRounds; i++)
    countdown.Add();
  waiter.join();
}

// Nobody changes the word: what a thread was woken for is elsewhere.
static void Message() {
  Word word{0};
  std::atomic<int> message{0};
  std::thread waiter([&] {
    Result result = Futex(&word, FUTEX_WAIT, 0);
    if (result == kOk)
      EXPECT(message.load(relaxed) == 1);
    else
      EXPECT(result == Error(EAGAIN) && word.load(relaxed) == 1);
  });
  message.store(1, relaxed);
  if (Futex(&word, FUTEX_WAKE, 1).value == 0) {
    word.store(1, relaxed);
    Futex(&word, FUTEX_WAKE, 1);
  }
  waiter.join();
}

// The same for the word that a requeue compares.
static void Requeue() {
  Word word{0}, other{0};
  std::thread writer([&] { word.store(1, relaxed); });
  if (Futex(&word, FUTEX_CMP_REQUEUE, 1, Count(1), &other, 0) == Error(EAGAIN))
    EXPECT(word.load(relaxed) == 1);
  writer.join();
}

int main() {
  CountDown();
  Message();
  Requeue();
}
