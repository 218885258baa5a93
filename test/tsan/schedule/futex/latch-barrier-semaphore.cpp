// C++20's latch, barrier and semaphores, and jthread with its stop token.
//
// Where a thread enters the barrier, and which waiters share a table entry, goes by addresses.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule setarch -R %t
#include "heddle_test.h"
#include <barrier>
#include <latch>
#include <semaphore>
#include <stop_token>
#include <thread>

const int kThreads = 3;

static void Latch() {
  int data[kThreads] = {};
  std::latch ready(kThreads);
  std::jthread threads[kThreads];
  for (int i = 0; i < kThreads; i++)
    threads[i] = std::jthread([&, i] {
      data[i] = i + 1;
      ready.arrive_and_wait();
      for (int j = 0; j < kThreads; j++)
        EXPECT(data[j] == j + 1);
    });
  ready.wait();
  EXPECT(data[1] == 2);
}

static void Barrier() {
  int rounds = 0, data[kThreads] = {};
  auto complete = [&]() noexcept { rounds++; };
  std::barrier barrier(kThreads, complete);
  std::jthread threads[kThreads];
  for (int i = 0; i < kThreads; i++)
    threads[i] = std::jthread([&, i] {
      for (int round = 1; round < 4; round++) {
        data[i] = round;
        barrier.arrive_and_wait();
        EXPECT(data[(i + 1) % kThreads] == round && rounds == 2 * round - 1);
        barrier.arrive_and_wait();
      }
      barrier.arrive_and_drop();
    });
}

static void Semaphores() {
  std::counting_semaphore<2> places(2);
  std::binary_semaphore turn(0), back(0);
  std::atomic<int> inside{0};
  int data = 0;
  std::jthread threads[kThreads];
  for (auto &thread : threads)
    thread = std::jthread([&] {
      places.acquire();
      EXPECT(++inside <= 2);
      inside--;
      places.release();
    });
  std::jthread other([&] {
    turn.acquire();
    EXPECT(data++ == 1);
    back.release();
  });
  data = 1;
  EXPECT(!back.try_acquire());
  turn.release();
  back.acquire();
  EXPECT(data == 2);
}

static void StopToken() {
  std::binary_semaphore stopped(0);
  std::jthread thread([&](std::stop_token token) {
    std::stop_callback callback(token, [&] { stopped.release(); });
    stopped.acquire();
    EXPECT(token.stop_requested());
  });
}

int main() {
  Latch();
  Barrier();
  Semaphores();
  StopToken();
}
