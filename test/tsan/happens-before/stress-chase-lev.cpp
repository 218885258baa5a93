// The work-stealing deque of Chase and Lev, with the fences of Le, Pop, Cohen and Zappa Nardelli
// (PPoPP 2013). What a task contains is written before it is pushed, and read by whoever gets it:
// the release fence in Push() is all that orders the two.
//
// RUN: %clangxx_heddle %s -o %t && %expect_clean %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_clean %t
#include "heddle_test.h"

const long kTasks = 100000;
const int kThieves = 2;

struct Task {
  int value;
} tasks[kTasks];
atomic<Task *> buffer[kTasks];
atomic<long> top, bottom, done;

static void Push(Task *task) {
  long b = bottom.load(relaxed);
  buffer[b % kTasks].store(task, relaxed);
  atomic_thread_fence(release);
  bottom.store(b + 1, relaxed);
}

static Task *Take() {
  long b = bottom.load(relaxed) - 1;
  bottom.store(b, relaxed);
  atomic_thread_fence(seq_cst);
  long t = top.load(relaxed);
  Task *task = nullptr;
  if (t <= b) {
    task = buffer[b % kTasks].load(relaxed);
    if (t < b)
      return task;
    if (!top.compare_exchange_strong(t, t + 1, seq_cst, relaxed))
      task = nullptr;
  }
  bottom.store(b + 1, relaxed);
  return task;
}

static Task *Steal() {
  long t = top.load(acquire);
  atomic_thread_fence(seq_cst);
  if (t >= bottom.load(acquire))
    return nullptr;
  Task *task = buffer[t % kTasks].load(relaxed);
  return top.compare_exchange_strong(t, t + 1, seq_cst, relaxed) ? task : nullptr;
}

static void Finish(Task *task) {
  if (!task)
    return;
  EXPECT(task->value == task - tasks + 1);
  done.fetch_add(1, relaxed);
}

int main() {
  Concurrently(1 + kThieves, [](int self) {
    for (long i = 0; self == 0 && i < kTasks; i++) {
      tasks[i].value = i + 1;
      Push(&tasks[i]);
      if (i % 3 == 0)
        Finish(Take());
    }
    while (done.load(relaxed) < kTasks) {
      Finish(self == 0 ? Take() : Steal());
      sched_yield();
    }
  });
}
