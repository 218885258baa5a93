// Atomics of every width behave alike: release and acquire, a relaxed read-modify-write in between,
// a failed compare-exchange, fences, and a cut.
//
// RUN: %clangxx_heddle %cx16 %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"
#include <stdint.h>

template <typename T> struct Case {
  alignas(8) static inline int data;
  alignas(16) static inline T x;

  static void Publish() {
    data = 1;
    __atomic_store_n(&x, T(1), __ATOMIC_RELEASE);
  }
  static void PublishWithFence() {
    data = 1;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(&x, T(1), __ATOMIC_RELAXED);
  }
  static void Increment() {
    EXPECT(__atomic_fetch_add(&x, T(1), __ATOMIC_RELAXED) == T(1));
    T expected = 5;
    EXPECT(!__atomic_compare_exchange_n(&x, &expected, T(6), false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED));
    EXPECT(expected == T(2));
  }
  static void Cut() { __atomic_store_n(&x, T(2), __ATOMIC_RELAXED); }
  static void Consume() {
    EXPECT(__atomic_load_n(&x, __ATOMIC_ACQUIRE) == T(2));
    EXPECT(data == 1);
  }
  static void ConsumeWithFence() {
    EXPECT(__atomic_exchange_n(&x, T(3), __ATOMIC_RELAXED) == T(2));
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    EXPECT(data == 1);
  }

  static void Run(int bits) {
    fprintf(stderr, "%d bits\n", bits);
    Verdict("sequence", Interleave({{T1, Publish}, {T2, Increment}, {T3, Consume}}));
    Verdict("fences",
            Interleave({{T1, PublishWithFence}, {T2, Increment}, {T3, ConsumeWithFence}}));
    Verdict("cut", Interleave({{T1, Publish}, {T2, Cut}, {T3, Consume}}));
  }
};

int main() {
  Case<uint8_t>::Run(8);
  Case<uint16_t>::Run(16);
  Case<uint32_t>::Run(32);
  Case<uint64_t>::Run(64);
  Case<unsigned __int128>::Run(128);
}

// CHECK: {{^}}8 bits
// CHECK-NEXT: sequence: no race
// CHECK-NEXT: fences: no race
// CHECK: cut: race
// CHECK: {{^}}16 bits
// CHECK-NEXT: sequence: no race
// CHECK-NEXT: fences: no race
// CHECK: cut: race
// CHECK: {{^}}32 bits
// CHECK-NEXT: sequence: no race
// CHECK-NEXT: fences: no race
// CHECK: cut: race
// CHECK: {{^}}64 bits
// CHECK-NEXT: sequence: no race
// CHECK-NEXT: fences: no race
// CHECK: cut: race
// CHECK: {{^}}128 bits
// CHECK-NEXT: sequence: no race
// CHECK-NEXT: fences: no race
// CHECK: cut: race
// CHECK: reported 5 warnings
