// A thread takes a slot in which one epoch is left. A release ends an epoch, and that one has no
// end: what the thread did after the release would count as released, and not as a race. The writer
// uses up all slots that are free, and then takes those of the other threads, the first of which
// has one epoch left. When no slot is left the detector starts anew, and has forgotten the first
// three of the writes: each of the others is a race.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS=test_epochs=2:test_slots=10:symbolize=0:log_path=/dev/null:suppress_equal_stacks=0:exitcode=0 %t | %FileCheck %s
#include "heddle_test.h"

constexpr int kCount = 12;
static long data[kCount];
static atomic<int> x[kCount], other;

static void UseAnEpoch() { other.store(1, release); }
static void Nothing() {}
static void Write() {
  for (int i = 0; i < kCount; i++) {
    x[i].store(1, release);
    data[i] = 1;
  }
}
static void Read() {
  long sum = 0;
  for (int i = 0; i < kCount; i++) {
    EXPECT(x[i].load(acquire) == 1);
    sum += data[i];
  }
  EXPECT(sum == kCount);
}

struct Helper {
  void (*at_once)();
  void (*later)();
  unsigned barrier;
  pthread_t thread;
};

static void *Help(void *argument) {
  auto *helper = static_cast<Helper *>(argument);
  helper->at_once();
  InvisibleBarrier(&helper->barrier);
  InvisibleBarrier(&helper->barrier);
  helper->later();
  InvisibleBarrier(&helper->barrier);
  return nullptr;
}

int main() {
  // They get their slots in this order.
  static Helper helpers[] = {
      {UseAnEpoch, Nothing}, {Nothing, Nothing}, {Nothing, Read}, {Nothing, Write}};
  for (Helper &helper : helpers) {
    __tsan_testonly_barrier_init(&helper.barrier, 2);
    pthread_create(&helper.thread, nullptr, Help, &helper);
    InvisibleBarrier(&helper.barrier);
  }
  for (int i = 3; i >= 0; i--) {
    InvisibleBarrier(&helpers[i].barrier);
    InvisibleBarrier(&helpers[i].barrier);
  }
  for (Helper &helper : helpers)
    pthread_join(helper.thread, nullptr);
  printf("%d of %d reports\n", reports, kCount);
}

// CHECK: 9 of 12 reports
