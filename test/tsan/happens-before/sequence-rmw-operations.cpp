// Every read-modify-write operation, each the same way: relaxed it continues T1's sequence and
// publishes nothing of T2; as a release it publishes both; as an acquire it acquires.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

using Atomic = atomic<unsigned>;

template <auto kOperation> struct Case {
  alignas(8) static inline int head, middle;
  alignas(8) static inline Atomic x;
  static void Publish() {
    head = 1;
    x.store(1, release);
  }
  template <int kOrder> static void Modify() {
    middle = 1;
    kOperation(x, std::integral_constant<std::memory_order, std::memory_order(kOrder)>());
  }
  static void ReadHead() {
    (void)x.load(acquire);
    EXPECT(head == 1);
  }
  static void ReadMiddle() {
    (void)x.load(acquire);
    EXPECT(middle == 1);
  }
  static void ReadBoth() {
    (void)x.load(acquire);
    EXPECT(head == 1 && middle == 1);
  }
  static void ReadInModifier() { EXPECT(head == 1); }

  static void Run(const char *name) {
    const int kRelaxed = __ATOMIC_RELAXED, kRelease = __ATOMIC_RELEASE, kAcquire = __ATOMIC_ACQUIRE;
    fprintf(stderr, "%s\n", name);
    Verdict("continues", Interleave({{T1, Publish}, {T2, Modify<kRelaxed>}, {T3, ReadHead}}));
    Verdict("publishes", Interleave({{T1, Publish}, {T2, Modify<kRelease>}, {T3, ReadBoth}}));
    Verdict("acquires", Interleave({{T1, Publish}, {T2, Modify<kAcquire>}, {T2, ReadInModifier}}));
    Verdict("relaxed", Interleave({{T1, Publish}, {T2, Modify<kRelaxed>}, {T3, ReadMiddle}}));
  }
};

template <bool kWeak> void CompareExchange(Atomic &x, std::memory_order order) {
  unsigned expected = 1;
  bool done = kWeak ? x.compare_exchange_weak(expected, 9, order, relaxed)
                    : x.compare_exchange_strong(expected, 9, order, relaxed);
  EXPECT(done);
}

int main() {
#define RUN(name, call) Case<[](Atomic &x, auto order) { call; }>::Run(name)
  RUN("exchange", EXPECT(x.exchange(9, order) == 1));
  RUN("fetch_add", x.fetch_add(9, order));
  RUN("fetch_sub", x.fetch_sub(9, order));
  RUN("fetch_and", x.fetch_and(9, order));
  RUN("fetch_or", x.fetch_or(9, order));
  RUN("fetch_xor", x.fetch_xor(9, order));
  RUN("fetch_nand", __atomic_fetch_nand((unsigned *)&x, 9, (int)order()));
  RUN("compare_exchange_strong", CompareExchange<false>(x, order));
  RUN("compare_exchange_weak", CompareExchange<true>(x, order));
}

// CHECK: {{^}}exchange
// CHECK-NEXT: continues: no race
// CHECK-NEXT: publishes: no race
// CHECK-NEXT: acquires: no race
// CHECK: relaxed: race
// CHECK: {{^}}fetch_add
// CHECK-NEXT: continues: no race
// CHECK-NEXT: publishes: no race
// CHECK-NEXT: acquires: no race
// CHECK: relaxed: race
// CHECK: {{^}}fetch_sub
// CHECK-NEXT: continues: no race
// CHECK-NEXT: publishes: no race
// CHECK-NEXT: acquires: no race
// CHECK: relaxed: race
// CHECK: {{^}}fetch_and
// CHECK-NEXT: continues: no race
// CHECK-NEXT: publishes: no race
// CHECK-NEXT: acquires: no race
// CHECK: relaxed: race
// CHECK: {{^}}fetch_or
// CHECK-NEXT: continues: no race
// CHECK-NEXT: publishes: no race
// CHECK-NEXT: acquires: no race
// CHECK: relaxed: race
// CHECK: {{^}}fetch_xor
// CHECK-NEXT: continues: no race
// CHECK-NEXT: publishes: no race
// CHECK-NEXT: acquires: no race
// CHECK: relaxed: race
// CHECK: {{^}}fetch_nand
// CHECK-NEXT: continues: no race
// CHECK-NEXT: publishes: no race
// CHECK-NEXT: acquires: no race
// CHECK: relaxed: race
// CHECK: {{^}}compare_exchange_strong
// CHECK-NEXT: continues: no race
// CHECK-NEXT: publishes: no race
// CHECK-NEXT: acquires: no race
// CHECK: relaxed: race
// CHECK: {{^}}compare_exchange_weak
// CHECK-NEXT: continues: no race
// CHECK-NEXT: publishes: no race
// CHECK-NEXT: acquires: no race
// CHECK: relaxed: race
// CHECK: reported 9 warnings
