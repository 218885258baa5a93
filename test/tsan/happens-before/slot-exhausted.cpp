// A thread has 2^14 epochs in its slot, then gets another slot. Where that happens in an operation
// that releases nothing, the accesses that follow must still be found in the thread's trace: a
// race with one of them is dropped if no stack can be found for it. (Upstream drops one here.)
//
// RUN: %clangxx_heddle %s -o %t
// RUN: env
// TSAN_OPTIONS=symbolize=0:log_path=/dev/null:suppress_equal_stacks=0:history_size=16:exitcode=0 %t
// | %FileCheck %s
#include "heddle_test.h"

constexpr int kEpochs = 1 << 14, kCount = 100; // the switch is among the last kCount epochs
long data[kCount];
atomic<int> x, y;

extern "C" void __tsan_acquire(void *);

static void Write() {
  y.store(1, release); // something to acquire
  for (int i = 0; i < kEpochs - kCount / 2; i++)
    x.store(1, release);
  for (long &element : data) {
    x.store(1, release);
    __tsan_acquire(&y);
    element = 1;
  }
}

static long sum;
static void Read() {
  for (long &element : data)
    sum += element;
}

int main() {
  Interleave({{T1, Write}, {T2, Read}});
  EXPECT(sum == kCount);
  printf("%d reports\n", reports);
}

// CHECK: {{^}}100 reports
