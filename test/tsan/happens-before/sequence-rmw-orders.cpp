// A read-modify-write of each order, on a value that T1 has released. It always continues T1's
// sequence; it publishes its own thread's past if it is a release; it makes T1's past known to its
// own thread if it is an acquire.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

template <std::memory_order kOrder> struct Case {
  alignas(8) static inline int head, middle, own;
  alignas(8) static inline atomic<int> x;
  static void Publish() {
    head = own = 1;
    x.store(1, release);
  }
  static void Modify() {
    middle = 1;
    EXPECT(x.fetch_add(1, kOrder) == 1);
  }
  static void ReadInModifier() { EXPECT(own == 1); }
  static void ReadHead() {
    EXPECT(x.load(acquire) == 2);
    EXPECT(head == 1);
  }
  static void ReadMiddle() {
    EXPECT(x.load(acquire) == 2);
    EXPECT(middle == 1);
  }
};

template <std::memory_order kOrder> void Run(const char *name) {
  using C = Case<kOrder>;
  fprintf(stderr, "%s\n", name);
  Verdict("continues", Interleave({{T1, C::Publish}, {T2, C::Modify}, {T3, C::ReadHead}}));
  Verdict("publishes", Interleave({{T1, C::Publish}, {T2, C::Modify}, {T3, C::ReadMiddle}}));
  Verdict("acquires", Interleave({{T1, C::Publish}, {T2, C::Modify}, {T2, C::ReadInModifier}}));
}

int main() {
  // CHECK: relaxed
  // CHECK-NEXT: continues: no race
  // CHECK: publishes: race
  // CHECK: acquires: race
  Run<relaxed>("relaxed");
  // CHECK: consume
  // CHECK-NEXT: continues: no race
  // CHECK: publishes: race
  // CHECK-NEXT: acquires: no race
  Run<consume>("consume");
  // CHECK-NEXT: acquire
  // CHECK-NEXT: continues: no race
  // CHECK: publishes: race
  // CHECK-NEXT: acquires: no race
  Run<acquire>("acquire");
  // CHECK-NEXT: release
  // CHECK-NEXT: continues: no race
  // CHECK-NEXT: publishes: no race
  // CHECK: acquires: race
  Run<release>("release");
  // CHECK-NEXT: acq_rel
  // CHECK-NEXT: continues: no race
  // CHECK-NEXT: publishes: no race
  // CHECK-NEXT: acquires: no race
  Run<acq_rel>("acq_rel");
  // CHECK-NEXT: seq_cst
  // CHECK-NEXT: continues: no race
  // CHECK-NEXT: publishes: no race
  // CHECK-NEXT: acquires: no race
  Run<seq_cst>("seq_cst");
  // CHECK: reported 5 warnings
}
