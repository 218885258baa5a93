// heddle/schedule/yields.h: who is held back, and until when.

#include "heddle/schedule/yields.h"

#include "schedule_testing.h"

#include <gtest/gtest.h>

namespace {
using namespace __heddle;
using namespace testing_schedule;

class YieldsTest : public testing::Test {
protected:
  YieldsTest() {
    for (ThreadId thread = 0; thread < 3; thread++) {
      yields.Begin(thread);
      enabled.Add(thread);
    }
  }
  // The threads that can be picked.
  std::vector<ThreadId> Free() {
    u32 count = yields.Update(enabled);
    std::vector<ThreadId> free;
    for (ThreadId thread : ToVector(enabled))
      if (!yields.HeldBack(thread))
        free.push_back(thread);
    EXPECT_EQ(free.size(), count);
    return free;
  }
  void Run(ThreadId thread, bool yields_then = false) {
    yields.Ran(thread);
    if (yields_then)
      yields.Yielded(thread);
  }

  using Threads = std::vector<ThreadId>;
  Yields<Memory> yields;
  EnabledSet<Memory> enabled;
};

TEST_F(YieldsTest, NobodyYields) {
  EXPECT_EQ(Free(), (Threads{0, 1, 2}));
  Run(1);
  EXPECT_EQ(Free(), (Threads{0, 1, 2}));
}

TEST_F(YieldsTest, UntilAllOthersHaveRun) {
  Run(1, true);
  EXPECT_EQ(Free(), (Threads{0, 2}));
  Run(0);
  EXPECT_EQ(Free(), (Threads{0, 2}));
  Run(0);
  EXPECT_EQ(Free(), (Threads{0, 2}));
  Run(2);
  EXPECT_EQ(Free(), (Threads{0, 1, 2}));
}

TEST_F(YieldsTest, NotForThoseThatCannotRun) {
  Run(1, true);
  Run(0);
  enabled.Remove(2);
  EXPECT_EQ(Free(), (Threads{0, 1}));
}

TEST_F(YieldsTest, NotForThoseThatAreHeldBack) {
  Run(0, true);
  EXPECT_EQ(Free(), (Threads{1, 2}));
  Run(1, true);
  EXPECT_EQ(Free(), (Threads{2}));
  Run(2);
  EXPECT_EQ(Free(), (Threads{0, 1, 2}));
}

TEST_F(YieldsTest, IfAllYieldTheFirstGoesOn) {
  Run(2, true);
  Run(0, true);
  Run(1, true);
  EXPECT_EQ(Free(), (Threads{2}));
  Run(2, true);
  EXPECT_EQ(Free(), (Threads{0}));
  Run(0, true);
  EXPECT_EQ(Free(), (Threads{1}));
}

TEST_F(YieldsTest, AThreadThatRunsAnywayIsFree) {
  Run(0, true);
  Run(0);
  EXPECT_EQ(Free(), (Threads{0, 1, 2}));
}

TEST_F(YieldsTest, ANewThreadHasItsTurnFirst) {
  Run(0, true);
  Run(1);
  yields.Begin(3);
  enabled.Add(3);
  enabled.Remove(2);
  // It came after the yield, so it has not kept anybody waiting.
  EXPECT_EQ(Free(), (Threads{0, 1, 3}));
  Run(0, true);
  EXPECT_EQ(Free(), (Threads{1, 3}));
}

} // namespace
