// Every order of a fence before a relaxed store with every order of a fence after a relaxed load:
// release, acq_rel and seq_cst fences release; acquire, consume, acq_rel and seq_cst fences
// acquire; no fence does what is not in its name.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

template <std::memory_order kBefore, std::memory_order kAfter> struct Case {
  alignas(8) static inline int data;
  alignas(8) static inline atomic<int> flag;
  static void Publish() {
    data = 1;
    atomic_thread_fence(kBefore);
    flag.store(1, relaxed);
  }
  static void Consume() {
    EXPECT(flag.load(relaxed) == 1);
    atomic_thread_fence(kAfter);
    EXPECT(data == 1);
  }
};

template <std::memory_order kBefore, std::memory_order kAfter> void Try(const char *name) {
  using C = Case<kBefore, kAfter>;
  Verdict(name, Interleave({{T1, C::Publish}, {T2, C::Consume}}));
}

template <std::memory_order kBefore> void Row(const char *name) {
  fprintf(stderr, "before the store: %s\n", name);
  Try<kBefore, relaxed>("relaxed");
  Try<kBefore, release>("release");
  Try<kBefore, consume>("consume");
  Try<kBefore, acquire>("acquire");
  Try<kBefore, acq_rel>("acq_rel");
  Try<kBefore, seq_cst>("seq_cst");
}

int main() {
  Row<relaxed>("relaxed");
  Row<acquire>("acquire");
  Row<release>("release");
  Row<acq_rel>("acq_rel");
  Row<seq_cst>("seq_cst");
}

// CHECK: before the store: relaxed
// CHECK: {{^}}relaxed: race
// CHECK: {{^}}release: race
// CHECK: {{^}}consume: race
// CHECK: {{^}}acquire: race
// CHECK: {{^}}acq_rel: race
// CHECK: {{^}}seq_cst: race
// CHECK: before the store: acquire
// CHECK: {{^}}relaxed: race
// CHECK: {{^}}release: race
// CHECK: {{^}}consume: race
// CHECK: {{^}}acquire: race
// CHECK: {{^}}acq_rel: race
// CHECK: {{^}}seq_cst: race
// CHECK: before the store: release
// CHECK: {{^}}relaxed: race
// CHECK: {{^}}release: race
// CHECK: {{^}}consume: no race
// CHECK: {{^}}acquire: no race
// CHECK: {{^}}acq_rel: no race
// CHECK: {{^}}seq_cst: no race
// CHECK: before the store: acq_rel
// CHECK: {{^}}relaxed: race
// CHECK: {{^}}release: race
// CHECK: {{^}}consume: no race
// CHECK: {{^}}acquire: no race
// CHECK: {{^}}acq_rel: no race
// CHECK: {{^}}seq_cst: no race
// CHECK: before the store: seq_cst
// CHECK: {{^}}relaxed: race
// CHECK: {{^}}release: race
// CHECK: {{^}}consume: no race
// CHECK: {{^}}acquire: no race
// CHECK: {{^}}acq_rel: no race
// CHECK: {{^}}seq_cst: no race
// CHECK: reported 18 warnings
