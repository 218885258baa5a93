// Where two sets of axioms differ: the kind does not depend on names or on what the
// difference does not need.

#include "heddle/litmus/differences.h"
#include "litmus_testing.h"

#include <gtest/gtest.h>

#include <string>

namespace {
using namespace heddle::litmus;

AxiomaticOptions Axioms(AxiomaticModel model) {
  AxiomaticOptions axioms;
  axioms.model = model;
  return axioms;
}
const AxiomaticOptions kCxx11 = Axioms(AxiomaticModel::kC11Tester);
const AxiomaticOptions kCxx20 = Axioms(AxiomaticModel::kCxx20);
const AxiomaticOptions kSc = Axioms(AxiomaticModel::kSc);

// The fence rules of C++20 know what was read before a fence.
constexpr char kIriw[] = R"(C IRIW
{ x = 0; y = 0; }
P0(atomic_int *x) { atomic_store_explicit(x, 1, memory_order_relaxed); }
P1(atomic_int *x, atomic_int *y) {
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  int r1 = atomic_load_explicit(y, memory_order_relaxed);
}
P2(atomic_int *y) { atomic_store_explicit(y, 1, memory_order_relaxed); }
P3(atomic_int *x, atomic_int *y) {
  int r0 = atomic_load_explicit(y, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  int r1 = atomic_load_explicit(x, memory_order_relaxed);
}
exists (1:r0=1 /\ 1:r1=0 /\ 3:r0=1 /\ 3:r1=0)
)";

TEST(LitmusDifferences, OneDirection) {
  const Program iriw = Parsed(kIriw);
  EXPECT_TRUE(Differ(iriw, kCxx11, kCxx20));
  EXPECT_FALSE(Differ(iriw, kCxx20, kCxx11));
  EXPECT_FALSE(Differ(iriw, kCxx20, kCxx20));
  EXPECT_EQ(KindOfDifference(iriw, kCxx11, kCxx20),
            "Rx.rlx-Fsc-Ry.rlx+Ry.rlx-Fsc-Rx.rlx+Wx.rlx+Wy.rlx");
  EXPECT_EQ(KindOfDifference(iriw, kCxx20, kCxx11), "");
}

// Other names, another order of threads, stronger orders, a read-modify-write, an if and
// an access that changes nothing.
TEST(LitmusDifferences, OnlyWhatIsNeeded) {
  const Program program = Parsed(R"(C more
{ a = 0; b = 0; c = 0; }
P0(atomic_int *a, atomic_int *b) {
  int r0 = atomic_load_explicit(b, memory_order_acquire);
  atomic_thread_fence(memory_order_seq_cst);
  if (r0 == 1) {
    int r1 = atomic_load_explicit(a, memory_order_acquire);
  }
}
P1(atomic_int *b, atomic_int *c) {
  atomic_store_explicit(b, 1, memory_order_release);
  atomic_store_explicit(c, 1, memory_order_relaxed);
}
P2(atomic_int *a) { int r0 = atomic_exchange_explicit(a, 1, memory_order_release); }
P3(atomic_int *a, atomic_int *b) {
  int r0 = atomic_load_explicit(a, memory_order_acquire);
  atomic_thread_fence(memory_order_seq_cst);
  int r1 = atomic_load_explicit(b, memory_order_acquire);
}
locations [0:r0; 0:r1; 2:r0; 3:r0; 3:r1; a; b; c;]
exists (true)
)");
  EXPECT_EQ(KindOfDifference(program, kCxx11, kCxx20),
            KindOfDifference(Parsed(kIriw), kCxx11, kCxx20));
}

// A fence that is needed is not removed, nor weakened further than may be.
TEST(LitmusDifferences, OrdersThatAreNeeded) {
  const Program program = Parsed(R"(C SB
{ x = 0; y = 0; }
P0(atomic_int *x, atomic_int *y) {
  atomic_store_explicit(x, 1, memory_order_seq_cst);
  int r0 = atomic_load_explicit(y, memory_order_seq_cst);
}
P1(atomic_int *x, atomic_int *y) {
  atomic_store_explicit(y, 1, memory_order_seq_cst);
  int r0 = atomic_load_explicit(x, memory_order_acquire);
}
locations [0:r0; 1:r0; x; y;]
exists (true)
)");
  EXPECT_EQ(KindOfDifference(program, kCxx20, kSc), "Wx.rlx-Ry.rlx+Wy.rlx-Rx.rlx");
  EXPECT_EQ(KindOfDifference(program, kSc, kCxx20), "");
}

} // namespace
