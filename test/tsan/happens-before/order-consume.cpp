// Consume is treated as acquire, as all compilers do. They turn consume into acquire themselves, so
// the calls here go to the runtime directly, to see what it makes of the order.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"
#include <sanitizer/tsan_interface_atomic.h>

alignas(8) int data, other_data;
alignas(8) volatile __tsan_atomic32 flag, other_flag;
const auto kConsume = __tsan_memory_order_consume;
const auto kRelease = __tsan_memory_order_release;
const auto kRelaxed = __tsan_memory_order_relaxed;

static void Publish() {
  data = 1;
  __tsan_atomic32_store(&flag, 1, kRelease);
}
static void Load() {
  EXPECT(__tsan_atomic32_load(&flag, kConsume) == 1);
  EXPECT(data == 1);
}
static void ReadModifyWrite() {
  EXPECT(__tsan_atomic32_fetch_add(&flag, 1, kConsume) == 1);
  EXPECT(data == 1);
}
static void PublishRelaxed() {
  other_data = 1;
  __tsan_atomic32_store(&other_flag, 1, kRelaxed);
}
static void LoadRelaxed() {
  EXPECT(__tsan_atomic32_load(&other_flag, kConsume) == 1);
  EXPECT(other_data == 1);
}
static void FailedCompareExchange() {
  __tsan_atomic32 expected = 5;
  EXPECT(!__tsan_atomic32_compare_exchange_strong(&flag, &expected, 6, kConsume, kConsume));
  EXPECT(data == 1);
}
static void Fence() {
  EXPECT(__tsan_atomic32_load(&flag, kRelaxed) == 1);
  __tsan_atomic_thread_fence(kConsume);
  EXPECT(data == 1);
}

int main() {
  // CHECK: load: no race
  Verdict("load", Interleave({{T1, Publish}, {T2, Load}}));
  // CHECK: read-modify-write: no race
  Verdict("read-modify-write", Interleave({{T1, Publish}, {T2, ReadModifyWrite}}));
  // CHECK: failed compare-exchange: no race
  Verdict("failed compare-exchange", Interleave({{T1, Publish}, {T2, FailedCompareExchange}}));
  // CHECK: fence: no race
  Verdict("fence", Interleave({{T1, Publish}, {T2, Fence}}));
  // CHECK: load of a relaxed store: race
  Verdict("load of a relaxed store", Interleave({{T1, PublishRelaxed}, {T2, LoadRelaxed}}));
  // CHECK: reported 1 warnings
}
