// Litmus tests as C11: every statement, and the names that are refused.

#include "heddle/litmus/emit_c.h"
#include "litmus_testing.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace {
using namespace heddle::litmus;

TEST(LitmusEmitC, Test) {
  EXPECT_EQ(EmitC(Parsed(R"(C MP
{ x = 7; y = 0; }
P0(atomic_int *x, atomic_int *y) {
  atomic_store_explicit(x, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(y, 1, memory_order_relaxed);
}
P1(atomic_int *x, atomic_int *y) {
  int r0 = atomic_fetch_add_explicit(y, 2, memory_order_acquire);
  int r1 = atomic_load_explicit(x, memory_order_relaxed);
}
exists (1:r0=1 /\ 1:r1=7)
)")),
            R"(#include <stdatomic.h>

_Atomic int x = 7;
_Atomic int y = 0;
int P1_r0;
int P1_r1;

void P0(void) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
}

void P1(void) {
  int r0 = atomic_fetch_add_explicit(&y, 2, memory_order_acquire);
  int r1 = atomic_load_explicit(&x, memory_order_relaxed);
  P1_r0 = r0;
  P1_r1 = r1;
}
)");
}

TEST(LitmusEmitC, Statements) {
  std::string text = EmitC(Parsed(R"(C test
{ x = 0; }
P0(atomic_int *x) {
  int r0 = 3;
  int r1 = atomic_compare_exchange_strong_explicit(x, &r0, 4, memory_order_acq_rel, memory_order_acquire);
  if (r1 == 1) {
    int r2 = atomic_exchange_explicit(x, r0 + 1, memory_order_seq_cst);
  } else {
    atomic_store_explicit(x, 9, memory_order_release);
  }
}
exists (0:r1=1 /\ 0:r2=4)
)"));
  size_t from = text.find("void P0");
  EXPECT_EQ(text.substr(from), R"(void P0(void) {
  int r0 = 3;
  int r1 = atomic_compare_exchange_strong_explicit(&x, &r0, 4, memory_order_acq_rel, memory_order_acquire);
  int r2 = 0;
  if (r1 == 1) {
    r2 = atomic_exchange_explicit(&x, r0 + 1, memory_order_seq_cst);
  } else {
    atomic_store_explicit(&x, 9, memory_order_release);
  }
  P0_r1 = r1;
  P0_r2 = r2;
}
)");
}

TEST(LitmusEmitC, RefusesNamesThatCHasTaken) {
  auto with_location = [](const std::string &name) {
    return EmitC(Parsed("C test\n{ " + name + " = 0; }\nP0(atomic_int *" + name +
                        ") { int r0 = atomic_load_explicit(" + name +
                        ", memory_order_relaxed); }\nexists (0:r0=0)\n"));
  };
  EXPECT_NE(with_location("flag").find("_Atomic int flag = 0;"), std::string::npos);
  EXPECT_THROW(with_location("P0_r0"), std::invalid_argument);
  EXPECT_THROW(with_location("read"), std::invalid_argument);
}

TEST(LitmusEmitC, ForFilesWithSeveralTests) {
  const Program program = Parsed(R"(C test
{ x = 0; }
P0(atomic_int *x) { int r0 = atomic_load_explicit(x, memory_order_relaxed); }
exists (0:r0=0)
)");
  EXPECT_EQ(EmitCGlobals(program, "t7_"), R"(_Atomic int t7_x = 0;
int t7_P0_r0;

void t7_P0(void) {
  int r0 = atomic_load_explicit(&t7_x, memory_order_relaxed);
  t7_P0_r0 = r0;
}
)");
  EXPECT_EQ(EmitCBody(program, 0, "*"),
            R"(  int r0 = atomic_load_explicit(&*x, memory_order_relaxed);
  *P0_r0 = r0;
)");
}

} // namespace
