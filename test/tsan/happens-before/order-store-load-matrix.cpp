// Every order of a store with every order of a load that reads it: they synchronise if and only if
// the store is at least a release and the load at least an acquire.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

template <std::memory_order kStore, std::memory_order kLoad> struct Case {
  alignas(8) static inline int data;
  alignas(8) static inline atomic<int> flag;
  static void Publish() {
    data = 1;
    flag.store(1, kStore);
  }
  static void Consume() {
    EXPECT(flag.load(kLoad) == 1);
    EXPECT(data == 1);
  }
};

template <std::memory_order kStore, std::memory_order kLoad> void Run(const char *name) {
  using C = Case<kStore, kLoad>;
  Verdict(name, Interleave({{T1, C::Publish}, {T2, C::Consume}}));
}

int main() {
  // CHECK: relaxed, relaxed: race
  Run<relaxed, relaxed>("relaxed, relaxed");
  // CHECK: relaxed, consume: race
  Run<relaxed, consume>("relaxed, consume");
  // CHECK: relaxed, acquire: race
  Run<relaxed, acquire>("relaxed, acquire");
  // CHECK: relaxed, seq_cst: race
  Run<relaxed, seq_cst>("relaxed, seq_cst");
  // CHECK: release, relaxed: race
  Run<release, relaxed>("release, relaxed");
  // CHECK: release, consume: no race
  Run<release, consume>("release, consume");
  // CHECK: release, acquire: no race
  Run<release, acquire>("release, acquire");
  // CHECK: release, seq_cst: no race
  Run<release, seq_cst>("release, seq_cst");
  // CHECK: seq_cst, relaxed: race
  Run<seq_cst, relaxed>("seq_cst, relaxed");
  // CHECK: seq_cst, consume: no race
  Run<seq_cst, consume>("seq_cst, consume");
  // CHECK: seq_cst, acquire: no race
  Run<seq_cst, acquire>("seq_cst, acquire");
  // CHECK: seq_cst, seq_cst: no race
  Run<seq_cst, seq_cst>("seq_cst, seq_cst");
  // CHECK: reported 6 warnings
}
