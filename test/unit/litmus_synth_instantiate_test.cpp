// Values that tell executions apart, for each function, and observers where values
// do not suffice.

#include "heddle/litmus/allowed.h"
#include "heddle/litmus/printer.h"
#include "heddle/litmus/synth.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace {
using namespace heddle::litmus;
using Kind = WholeExecution::Kind;
constexpr int kInitial = WholeExecution::kInitial;
constexpr Order kRlx = Order::kRelaxed, kAcq = Order::kAcquire, kRel = Order::kRelease,
                kSc = Order::kSeqCst;

TEST(LitmusSynthInstantiate, OutcomesTellExecutionsApart) {
  SynthOptions options;
  options.max_events = 5;
  for (const SynthesisedTest &test : Synthesise(options)) {
    bool many = false;
    for (const auto &writes : test.forbidden.front().mo)
      many |= writes.size() > 2;
    // Three writes with a read-modify-write among them are told apart, too.
    if (many && test.Rmws() == 0)
      continue;
    for (const Program &program : Instantiate(test))
      for (const auto &[state, executions] : AllowedOutcomes(program).states)
        EXPECT_EQ(executions, 1u) << PrintProgram(program) << FormatState(program, state);
  }
}

TEST(LitmusSynthInstantiate, OneProgramForEachFunction) {
  SynthesisedTest test;
  test.name = "Wx.rlx-Uy.rel+Ry.acq-Rx.rlx";
  test.family = "MP";
  test.threads = {{{Kind::kWrite, 0, kRlx}, {Kind::kRmw, 1, kRel}},
                  {{Kind::kRead, 1, kAcq}, {Kind::kRead, 0, kRlx}}};
  test.forbidden = {{{kInitial, kInitial, 1, kInitial}, {{0}, {1}}}};
  std::vector<std::string> names, conditions;
  for (const Program &program : Instantiate(test)) {
    names.push_back(program.name.substr(program.name.rfind("rlx.") + 4));
    conditions.push_back(PrintCondition(program));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"exchange", "fetch_add", "fetch_sub", "fetch_or",
                                             "fetch_xor", "fetch_and", "compare_exchange.0"}));
  EXPECT_EQ(conditions[0], "exists (0:r0=0 /\\ 1:r0=1 /\\ 1:r1=0)");
  EXPECT_EQ(conditions[2], "exists (0:r0=0 /\\ 1:r0=-1 /\\ 1:r1=0)");
  EXPECT_EQ(conditions[5], "exists (0:r0=1 /\\ 1:r0=0 /\\ 1:r1=0)");
  // Found 0, and succeeded.
  EXPECT_EQ(conditions[6], "exists (0:r0=0 /\\ 0:r1=1 /\\ 1:r0=1 /\\ 1:r1=0)");
}

TEST(LitmusSynthInstantiate, SeveralReadModifyWrites) {
  SynthOptions options;
  options.max_events = 4;
  options.max_rmws = 4;
  int several = 0;
  for (const SynthesisedTest &test : Synthesise(options)) {
    several += test.Rmws() > 1;
    for (const Program &program : Instantiate(test)) {
      EXPECT_FALSE(IsConditionAllowed(program)) << PrintProgram(program);
      for (const auto &[state, executions] : AllowedOutcomes(program).states)
        EXPECT_EQ(executions, 1u) << PrintProgram(program) << FormatState(program, state);
    }
  }
  EXPECT_GT(several, 10);
}

TEST(LitmusSynthInstantiate, Observers) {
  SynthesisedTest test;
  test.name = "Wx.sc-Wx.rel+Wy.sc-Wx.sc+Rx.acq-Ry.sc";
  test.threads = {{{Kind::kWrite, 0, kSc}, {Kind::kWrite, 0, kRel}},
                  {{Kind::kWrite, 1, kSc}, {Kind::kWrite, 0, kSc}},
                  {{Kind::kRead, 0, kAcq}, {Kind::kRead, 1, kSc}}};
  // Of the three writes of x, that of the second thread is the first. The final value
  // is the same if it is the second, which is allowed.
  test.forbidden = {{{kInitial, kInitial, kInitial, kInitial, 1, kInitial}, {{3, 0, 1}, {2}}}};
  std::vector<Program> programs = Instantiate(test);
  ASSERT_EQ(programs.size(), 1u);
  EXPECT_EQ(programs[0].threads.size(), 4u);
  EXPECT_EQ(PrintCondition(programs[0]),
            "exists (2:r0=2 /\\ 2:r1=0 /\\ 3:r0=3 /\\ 3:r1=1 /\\ x=2)");
  EXPECT_FALSE(IsConditionAllowed(programs[0]));
}

} // namespace
