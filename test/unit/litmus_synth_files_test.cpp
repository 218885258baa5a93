// Synthesised tests as files, and that the check finds what is wrong with one.

#include "heddle/litmus/synth_files.h"

#include <gtest/gtest.h>

#include <string>

namespace {
using namespace heddle::litmus;
using Kind = WholeExecution::Kind;
constexpr int kInitial = WholeExecution::kInitial;
constexpr Order kRlx = Order::kRelaxed, kAcq = Order::kAcquire, kRel = Order::kRelease,
                kSc = Order::kSeqCst;

SynthesisedTest MessagePassing(Order store, Order load) {
  SynthesisedTest test;
  test.name = "test";
  test.family = "MP";
  test.threads = {{{Kind::kWrite, 0, kRlx}, {Kind::kWrite, 1, store}},
                  {{Kind::kRead, 1, load}, {Kind::kRead, 0, kRlx}}};
  test.forbidden = {{{kInitial, kInitial, 1, kInitial}, {{0}, {1}}}};
  return test;
}

TEST(LitmusSynthFiles, Text) {
  SynthesisedTest test = MessagePassing(kRel, kAcq);
  EXPECT_EQ(PrintSynthesised(test, Instantiate(test)[0], {}), R"(C MP.test
"Family MP, 4 events. The outcome is forbidden."
{
  x = 0;
  y = 0;
}

P0(atomic_int *x, atomic_int *y) {
  atomic_store_explicit(x, 1, memory_order_relaxed);
  atomic_store_explicit(y, 1, memory_order_release);
}

P1(atomic_int *x, atomic_int *y) {
  int r0 = atomic_load_explicit(y, memory_order_acquire);
  int r1 = atomic_load_explicit(x, memory_order_relaxed);
}

exists (1:r0=1 /\ 1:r1=0)

(* Minimal: the forbidden execution is allowed without any one of the 4 events,
   or with any one of these orders weakened:
     P0: store to y: release -> relaxed
     P1: load of y: acquire -> relaxed *)
)");
}

TEST(LitmusSynthFiles, Check) {
  EXPECT_EQ(CheckSynthesised(MessagePassing(kRel, kAcq), {}), "");
  EXPECT_EQ(CheckSynthesised(MessagePassing(kRlx, kAcq), {}), "test: its execution is allowed");
  // seq_cst is more than is needed.
  EXPECT_EQ(CheckSynthesised(MessagePassing(kSc, kAcq), {})
                .rfind("test: its execution is forbidden as", 0),
            0u);
  // So is a third thread.
  SynthesisedTest test = MessagePassing(kRel, kAcq);
  test.threads.push_back({{Kind::kRead, 0, kRlx}});
  test.forbidden[0].rf.push_back(kInitial);
  EXPECT_EQ(CheckSynthesised(test, {}), "test: its execution is forbidden without event 4");
}

} // namespace
