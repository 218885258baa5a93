// C++20 coroutines that are resumed by any of three threads, through a queue: a coroutine is a heap
// block and a function, so that what orders the threads orders it. One throws; one is destroyed before
// its end.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %six_modes %t | %FileCheck %s
// RUN: %every_schedule --seeds 1 %t
// CHECK: 60 steps, 2 thrown, 1 destroyed
#include <atomic>
#include <condition_variable>
#include <coroutine>
#include <cstdio>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::condition_variable changed;
static std::deque<std::coroutine_handle<>> ready;
static int live;
static std::atomic<int> thrown, destroyed;

struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() { Ended(); }
    void unhandled_exception() {
      thrown++;
      Ended();
    }
    void Ended() {
      std::lock_guard<std::mutex> lock(mutex);
      live--;
      changed.notify_all();
    }
  };
};

// Goes on in whichever thread takes it from the queue.
struct Reschedule {
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<> handle) {
    std::lock_guard<std::mutex> lock(mutex);
    ready.push_back(handle);
    changed.notify_one();
  }
  void await_resume() {}
};

static Task Count(int &steps, bool throws) {
  for (int i = 0; i < 10; i++) {
    co_await Reschedule();
    steps++; // plain: the queue orders it
  }
  if (throws)
    throw std::runtime_error("enough");
}

struct NoteEnd {
  ~NoteEnd() { destroyed++; }
};
static std::coroutine_handle<> kept;
struct Keep {
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<> handle) { kept = handle; }
  void await_resume() {}
};
static Task NeverEnds() {
  NoteEnd note;
  co_await Keep();
}

static void Work() {
  std::unique_lock<std::mutex> lock(mutex);
  for (;;) {
    changed.wait(lock, [] { return !ready.empty() || !live; });
    if (ready.empty())
      return;
    auto handle = ready.front();
    ready.pop_front();
    lock.unlock();
    handle.resume();
    lock.lock();
  }
}

int main() {
  std::vector<int> steps(6);
  live = 6;
  NeverEnds();
  for (int i = 0; i < 6; i++)
    Count(steps[i], i < 2);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; i++)
      threads.emplace_back(Work);
  }
  std::thread([] { kept.destroy(); }).join();
  int all = 0;
  for (int each : steps)
    all += each;
  printf("%d steps, %d thrown, %d destroyed\n", all, thrown.load(), destroyed.load());
}
