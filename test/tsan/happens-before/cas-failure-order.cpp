// A compare-exchange that fails is a load with the failure order, whatever the success order is: it
// acquires if that is an acquire, and does not if it is relaxed.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

template <std::memory_order kSuccess, std::memory_order kFailure, bool kWeak> struct Case {
  alignas(8) static inline int data;
  alignas(8) static inline atomic<int> flag;
  static void Publish() {
    data = 1;
    flag.store(1, release);
  }
  static void Fail() {
    int expected = 0;
    bool done = kWeak ? flag.compare_exchange_weak(expected, 2, kSuccess, kFailure)
                      : flag.compare_exchange_strong(expected, 2, kSuccess, kFailure);
    EXPECT(!done && expected == 1);
    EXPECT(data == 1);
  }
};

template <std::memory_order kSuccess, std::memory_order kFailure, bool kWeak = false>
void Run(const char *name) {
  using C = Case<kSuccess, kFailure, kWeak>;
  Verdict(name, Interleave({{T1, C::Publish}, {T2, C::Fail}}));
}

int main() {
  // CHECK: relaxed, relaxed: race
  Run<relaxed, relaxed>("relaxed, relaxed");
  // CHECK: acquire, relaxed: race
  Run<acquire, relaxed>("acquire, relaxed");
  // CHECK: acq_rel, relaxed: race
  Run<acq_rel, relaxed>("acq_rel, relaxed");
  // CHECK: seq_cst, relaxed: race
  Run<seq_cst, relaxed>("seq_cst, relaxed");
  // CHECK: weak acq_rel, relaxed: race
  Run<acq_rel, relaxed, true>("weak acq_rel, relaxed");
  // CHECK: relaxed, acquire: no race
  Run<relaxed, acquire>("relaxed, acquire");
  // CHECK-NEXT: release, acquire: no race
  Run<release, acquire>("release, acquire");
  // CHECK-NEXT: acq_rel, acquire: no race
  Run<acq_rel, acquire>("acq_rel, acquire");
  // CHECK-NEXT: seq_cst, seq_cst: no race
  Run<seq_cst, seq_cst>("seq_cst, seq_cst");
  // CHECK-NEXT: weak acq_rel, acquire: no race
  Run<acq_rel, acquire, true>("weak acq_rel, acquire");
  // CHECK: reported 5 warnings
}
