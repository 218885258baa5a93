// 300 threads at a time are more than the detector has slots (255): threads take slots from each
// other, and fences, sequences and their clocks must survive that. Invisible barriers keep all of
// them alive and give each its turn.
//
// RUN: %clangxx_heddle %s -o %t && %expect_clean %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_clean %t
#include "heddle_test.h"

const int kThreads = 300;

int chained, values[kThreads];
unsigned all, gates[kThreads + 1];
atomic<int> turn, released, fenced;

int main() {
  __tsan_testonly_barrier_init(&all, kThreads);
  for (unsigned &gate : gates)
    __tsan_testonly_barrier_init(&gate, 2);
  Concurrently(kThreads, [](int self) {
    // Everyone releases into the same objects: one of the sequences has 300 heads.
    values[self] = 1;
    released.fetch_add(1, release);
    atomic_thread_fence(release);
    fenced.fetch_add(1, relaxed);
    // One after the other, by fences.
    if (self)
      InvisibleBarrier(&gates[self]);
    EXPECT(turn.load(relaxed) == self);
    atomic_thread_fence(acquire);
    chained++;
    atomic_thread_fence(release);
    turn.store(self + 1, relaxed);
    if (self + 1 < kThreads)
      InvisibleBarrier(&gates[self + 1]);
    // All have released, and each acquires from all.
    InvisibleBarrier(&all);
    if (self % 2) {
      EXPECT(released.load(acquire) == kThreads);
    } else {
      EXPECT(fenced.load(relaxed) == kThreads);
      atomic_thread_fence(acquire);
    }
    for (int value : values)
      EXPECT(value == 1);
  });
  EXPECT(chained == kThreads);
}
