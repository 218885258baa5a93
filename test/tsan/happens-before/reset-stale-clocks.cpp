// Clocks from before a __tsan_flush_memory() mean nothing afterwards, when all threads count from
// the start again. T1 has a long past, so that a clock that survived would seem to cover what T1
// does after the flush: the races here would be missed.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"

extern "C" void __tsan_flush_memory();

template <int> struct Case {
  alignas(8) static inline int data;
  alignas(8) static inline atomic<int> x, mine, yours;

  static void Flush() { __tsan_flush_memory(); }
  static void Age() {
    for (int i = 0; i < 1000; i++)
      mine.store(i, release);
  }
  static void Fence() { atomic_thread_fence(release); }
  static void Publish() { x.store(1, release); }
  static void LoadRelaxed() { EXPECT(x.load(relaxed) == 1); }
  // After the flush every thread begins anew, T2 first and T1 second.
  static void BeginT2() { yours.store(1, release); }
  static void BeginT1() { mine.store(1, release); }
  static void Write() { data = 1; }
  static void StoreRelaxed() { x.store(1, relaxed); }
  static void LoadAndRead() {
    EXPECT(x.load(acquire) == 1);
    EXPECT(data == 1);
  }
  static void FenceAndRead() {
    atomic_thread_fence(acquire);
    EXPECT(data == 1);
  }
};

int main() {
  using A = Case<1>;
  // CHECK: release fence: race
  Verdict("release fence", Interleave({{T1, A::Age},
                                       {T1, A::Fence},
                                       {T3, A::Flush},
                                       {T2, A::BeginT2},
                                       {T1, A::BeginT1},
                                       {T1, A::Write},
                                       {T1, A::StoreRelaxed},
                                       {T2, A::LoadAndRead}}));
  using B = Case<2>;
  // CHECK: acquire fence: race
  Verdict("acquire fence", Interleave({{T1, B::Age},
                                       {T1, B::Publish},
                                       {T2, B::LoadRelaxed},
                                       {T3, B::Flush},
                                       {T2, B::BeginT2},
                                       {T1, B::BeginT1},
                                       {T1, B::Write},
                                       {T2, B::FenceAndRead}}));
  using C = Case<3>;
  // CHECK: release sequence: race
  Verdict("release sequence", Interleave({{T1, C::Age},
                                          {T1, C::Publish},
                                          {T3, C::Flush},
                                          {T2, C::BeginT2},
                                          {T1, C::BeginT1},
                                          {T1, C::Write},
                                          {T1, C::StoreRelaxed},
                                          {T2, C::LoadAndRead}}));
  // CHECK: reported 3 warnings
}
