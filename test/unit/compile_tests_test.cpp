// utils/heddle/litmus/compile/tests.h: tests made of others.

#include "heddle/litmus/compile/tests.h"
#include "litmus_builders.h"

#include <gtest/gtest.h>

namespace {
using namespace heddle::litmus;
using namespace heddle::litmus::build;
using namespace heddle::litmus::compile;

TEST(CompileTests, EachOrderIsMadeSeqCstInTurn) {
  Program program;
  program.name = "MP";
  program.threads.resize(2);
  program.threads[0].body = {Store(kX, 1, kRlx), Store(kY, 1, kSc)};
  program.threads[1].body = {Load(0, kY, kAcq), Load(1, kX, kRlx)};
  const std::vector<Program> stronger = Strengthened(program);
  ASSERT_EQ(stronger.size(), 3u);
  EXPECT_EQ(stronger[0].name, "MP.sc0.0");
  EXPECT_EQ(stronger[0].threads[0].body[0].order, kSc);
  EXPECT_EQ(stronger[0].threads[1].body[0].order, kAcq);
  EXPECT_EQ(stronger[1].name, "MP.sc1.0");
  EXPECT_EQ(stronger[1].threads[1].body[0].order, kSc);
  EXPECT_EQ(stronger[1].threads[0].body[0].order, kRlx);
  EXPECT_EQ(stronger[2].name, "MP.sc1.1");
}

// Among these the first has a read-modify-write, too.
TEST(CompileTests, ResultsAreLeftOut) {
  TestSelection selection;
  selection.max_events = 3;
  selection.unused_results = true;
  std::vector<std::string> refused;
  const auto tests = SelectTests(selection, 1, &refused);
  ASSERT_FALSE(tests.empty());
  for (const auto &test : tests) {
    EXPECT_FALSE(test.program.name.empty());
    EXPECT_GE(test.program.threads.size(), 2u);
  }
}

} // namespace
