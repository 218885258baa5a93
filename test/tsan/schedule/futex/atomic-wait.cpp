// std::atomic::wait blocks in the schedule, and notify_one and notify_all end it: for a value of the
// size of a futex, and for others, whose waits go through the library's table of waiters (an entry is
// found by address).
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule setarch -R %t
#include "heddle_test.h"
#include <thread>
#include <vector>

template <class T> static void PingPong() {
  std::atomic<T> ball{0};
  int data = 0;
  std::thread other([&] {
    for (T i = 0; i < 10; i += 2) {
      ball.wait(i);
      EXPECT(data++ == i);
      ball.store(i + 2);
      ball.notify_one();
    }
  });
  for (T i = 0; i < 10; i += 2) {
    data = i;
    ball.store(i + 1);
    ball.notify_one();
    for (T seen; (seen = ball.load()) != i + 2;)
      ball.wait(seen);
    EXPECT(data == i + 1);
  }
  other.join();
}

static void Broadcast() {
  std::atomic<bool> go{false};
  std::atomic<int> gone{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++)
    threads.emplace_back([&] {
      go.wait(false);
      gone++;
    });
  go = true;
  go.notify_all();
  for (auto &thread : threads)
    thread.join();
  EXPECT(gone == 4);
}

int main() {
  PingPong<int>();
  PingPong<char>();
  PingPong<long>();
  Broadcast();
}
