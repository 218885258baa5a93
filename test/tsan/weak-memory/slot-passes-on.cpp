// A slot passes to a thread that performs no atomic operation. Whoever synchronises with that thread
// has heard of the slot's epochs, and not of what the former thread of the slot released in them:
// it still acquires that. How many releases it takes for one thread to come to the other's slot is
// tried out.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: for releases in 12 14 16 18 20 22; do \
// RUN:   env TSAN_OPTIONS="weak_memory=buffer test_epochs=6 test_slots=8" \
// RUN:     %expect_clean %t $releases || exit 1; done
#include "heddle_test.h"

alignas(8) static int data;
alignas(8) static atomic<int> x, y;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int releases;

static void Write() {
  data = 1;
  y.store(1, release);
}
static void PassOn() {
  // Memory holds the only store that there is to read, but an older one may be read too.
  while (!y.load(acquire)) {
  }
  x.store(1, release);
}
static void Synchronise() {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}
static void ComeToOtherSlots() {
  for (int i = 0; i < releases; i++)
    Synchronise();
}
static void Read() {
  Synchronise();
  while (!x.load(acquire)) {
  }
  EXPECT(data == 1);
}

int main(int, char **argv) {
  releases = atoi(argv[1]);
  // Slots are taken in the order of the threads. T1's comes first, and the writer's is left alone.
  Interleave({{T4, Write}, {T1, PassOn}, {T2, ComeToOtherSlots}, {T3, Read}});
}
