// Asymmetric algorithms, which fence with membarrier(2) on one side and not at all on the other, are
// right under every engine. Without the call they are seen to be wrong.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %every_engine --seeds 20 %t
// RUN: %every_engine --scheduled --seeds 20 --options "read_policy=oldest" %t
// RUN: env TSAN_OPTIONS="schedule=pos weak_memory=mograph seed=1" %expect_clean %t
// RUN: %clangxx_heddle -DBUG %s -o %t.bug
// RUN: not env TSAN_OPTIONS="schedule=random weak_memory=mograph seed=1" %t.bug 2>&1 | %FileCheck %s
// RUN: not env TSAN_OPTIONS="schedule=random weak_memory=buffer seed=1" %t.bug 2>&1 | %FileCheck %s
// CHECK: expected
#include "heddle_test.h"
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

const int kRounds = 100;

static void Fence() {
#ifndef BUG
  EXPECT(!syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0));
#endif
}
static void CompilerBarrier() { asm volatile("" ::: "memory"); }

struct State {
  alignas(8) atomic<int> x{0};
  alignas(8) atomic<int> y{0};
  alignas(8) atomic<int> done{0};
  alignas(8) int data = 0;
};

// Two threads that each say that they come and then look for the other.
static void Dekker() {
  State s;
  int slow, fast;
  std::thread other([&] {
    s.x.store(1, relaxed);
    CompilerBarrier();
    fast = s.y.load(relaxed);
  });
  s.y.store(1, relaxed);
  Fence();
  slow = s.x.load(relaxed);
  other.join();
  EXPECT(slow || fast);
}

// A message between them that only one side fences for.
static void Message() {
  State s;
  std::thread other([&] {
    if (s.x.load(relaxed)) {
      CompilerBarrier();
      EXPECT(s.data == 1);
      CompilerBarrier();
      s.y.store(1, relaxed);
    }
    s.done.store(1, relaxed);
  });
  s.data = 1;
  Fence();
  s.x.store(1, relaxed);
  while (!s.done.load(relaxed))
    std::this_thread::yield();
  const bool read = s.y.load(relaxed);
  Fence();
  if (read)
    s.data = 2;
  other.join();
}

// Read, copy, update: a reader announces itself and takes the pointer; the writer takes the pointer
// away, waits until no reader is there that may have it, and frees the object.
static void Rcu() {
  atomic<int *> pointer{new int(1)};
  atomic<int> reading{0};
  std::thread reader([&] {
    for (int i = 0; i < 3; i++) {
      reading.store(1, relaxed);
      CompilerBarrier();
      if (int *object = pointer.load(std::memory_order_consume))
        EXPECT(*object == 1);
      CompilerBarrier();
      reading.store(0, relaxed);
    }
  });
  int *old = pointer.exchange(nullptr, relaxed);
  Fence();
  while (reading.load(relaxed))
    std::this_thread::yield();
  Fence();
  delete old;
  reader.join();
}

int main() {
  EXPECT(!syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0));
  for (int i = 0; i < kRounds; i++) {
    Dekker();
    Message();
    Rcu();
  }
}
