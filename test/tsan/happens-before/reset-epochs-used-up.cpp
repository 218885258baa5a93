// Each release and each release fence uses up one of the detector's epochs, of which there are
// about four million before it starts over. Two pairs of threads use up more than that, and
// synchronise now and then on the way: no false alarm, and an end.
//
// RUN: %clangxx_heddle %s -o %t && %expect_clean %t
#include "heddle_test.h"

const int kThreads = 4, kRounds = 1000, kBurst = 2000;

struct {
  int counter;
  alignas(64) atomic<int> turn;
  alignas(64) atomic<int> noise[2];
} pairs[kThreads / 2];

int main() {
  Concurrently(kThreads, [](int self) {
    auto &pair = pairs[self / 2];
    const int side = self % 2;
    for (int i = 0; i < kRounds; i++) {
      for (int j = 0; j < kBurst; j++) {
        atomic_thread_fence(release);
        pair.noise[side].store(j, release);
      }
      if (!WaitUntil([&] { return pair.turn.load(relaxed) == side; }))
        continue;
      atomic_thread_fence(acquire);
      pair.counter++;
      atomic_thread_fence(release);
      pair.turn.store(!side, relaxed);
    }
  });
  for (auto &pair : pairs)
    EXPECT(pair.counter % 2 == pair.turn);
}
