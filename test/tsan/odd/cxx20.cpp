// C++20's means of synchronisation, all of them: jthread and stop_token, latch, barrier, semaphores,
// wait and notify, atomic_ref, atomic shared_ptr, syncstream.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %six_modes %t | %FileCheck %s
// RUN: %every_schedule --seeds 1 %t
// CHECK: latch 3, barrier 6, semaphore 4, stopped 2, waited 5, pointer 7, reference 20, lines 3
#include <atomic>
#include <barrier>
#include <condition_variable>
#include <cstdio>
#include <latch>
#include <memory>
#include <mutex>
#include <semaphore>
#include <sstream>
#include <stop_token>
#include <syncstream>
#include <thread>
#include <vector>

template <class Body> static void InThreads(int count, Body body) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < count; i++)
    threads.emplace_back([=] { body(i); });
}

static int Latch() {
  std::latch latch(3);
  int values[3] = {};
  std::jthread a([&] { values[0] = 1; latch.count_down(); });
  std::jthread b([&] { values[1] = 1; latch.count_down(); });
  values[2] = 1;
  latch.arrive_and_wait();
  return values[0] + values[1] + values[2];
}

static int Barrier() {
  int completed = 0, values[2] = {};
  std::barrier barrier(2, [&]() noexcept { completed += values[0] + values[1]; });
  InThreads(2, [&](int i) {
    for (int phase = 0; phase < 3; phase++) {
      values[i] = 1;
      barrier.arrive_and_wait();
    }
  });
  return completed;
}

static int Semaphores() {
  std::counting_semaphore<8> items(0);
  std::binary_semaphore mutex(1);
  int taken = 0;
  InThreads(2, [&](int i) {
    for (int k = 0; k < 4; k++) {
      if (i == 0) {
        items.release();
        continue;
      }
      items.acquire();
      mutex.acquire();
      taken++;
      mutex.release();
    }
  });
  return taken;
}

static int Stop() {
  int stopped = 0;
  std::mutex mutex;
  std::condition_variable_any changed;
  std::jthread waits([&](std::stop_token token) {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, token, [] { return false; });
    stopped++;
  });
  std::jthread polls([&](std::stop_token token) {
    std::stop_callback note(token, [&] {
      std::lock_guard<std::mutex> lock(mutex);
      stopped++;
    });
    while (!token.stop_requested())
      std::this_thread::yield();
  });
  waits.request_stop();
  polls.request_stop();
  waits.join();
  polls.join();
  return stopped;
}

static int Wait() {
  std::atomic<int> turn = 0;
  int value = 0;
  std::atomic_flag done;
  std::jthread other([&] {
    for (int i = 0; i < 5; i++) {
      turn.wait(2 * i);
      value++;
      turn.store(2 * i + 2);
      turn.notify_all();
    }
    done.test_and_set();
    done.notify_one();
  });
  for (int i = 0; i < 5; i++) {
    turn.store(2 * i + 1);
    turn.notify_one();
    turn.wait(2 * i + 1);
  }
  done.wait(false);
  return value;
}

static int Pointer() {
  std::shared_ptr<int> shared = std::make_shared<int>(0);
  // libstdc++'s locks for this come into being with the first use. That is not instrumented: which
  // of two threads comes first, and calls the runtime, is up to the machine.
  std::atomic_load(&shared);
  InThreads(2, [&](int i) {
    if (i) {
      std::atomic_store(&shared, std::make_shared<int>(7));
      return;
    }
    for (;;) {
      auto copy = std::atomic_load(&shared);
      if (*copy == 7)
        return;
      std::this_thread::yield();
    }
  });
  return *shared;
}

static int Reference() {
  int plain = 0;
  InThreads(2, [&](int) {
    for (int i = 0; i < 10; i++)
      std::atomic_ref<int>(plain).fetch_add(1, std::memory_order_relaxed);
  });
  return plain;
}

static int Lines() {
  std::ostringstream text;
  InThreads(3, [&](int i) { std::osyncstream(text) << "thread " << i << '\n'; });
  int lines = 0;
  for (char each : text.str())
    lines += each == '\n';
  return lines;
}

int main() {
  const int latch = Latch(), barrier = Barrier(), semaphore = Semaphores(), stop = Stop(),
            wait = Wait(), pointer = Pointer(), reference = Reference(), lines = Lines();
  printf("latch %d, barrier %d, semaphore %d, stopped %d, waited %d, pointer %d, reference %d, lines %d\n",
         latch, barrier, semaphore, stop, wait, pointer, reference, lines);
}
