// A ring buffer for one producer and one consumer, with plain slots, relaxed indices and fences.
// The slots are used over and over: the consumer's fences protect the producer as well.
//
// RUN: %clangxx_heddle %s -o %t && %expect_clean %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_clean %t
#include "heddle_test.h"

const int kItems = 200000, kSlots = 16;

int slots[kSlots];
atomic<int> produced, consumed;

static void Produce() {
  for (int i = 0; i < kItems; i++) {
    if (!WaitUntil([=] { return i - consumed.load(relaxed) < kSlots; }))
      return;
    atomic_thread_fence(acquire);
    slots[i % kSlots] = i;
    atomic_thread_fence(release);
    produced.store(i + 1, relaxed);
  }
}

static void Consume() {
  for (int i = 0; i < kItems; i++) {
    if (!WaitUntil([=] { return i < produced.load(relaxed); }))
      return;
    atomic_thread_fence(acquire);
    EXPECT(slots[i % kSlots] == i);
    atomic_thread_fence(release);
    consumed.store(i + 1, relaxed);
  }
}

int main() {
  Concurrently(2, [](int self) { self ? Consume() : Produce(); });
}
