// heddle/schedule/priorities.h: three bands, one below the other.

#include "heddle/schedule/priorities.h"

#include "schedule_testing.h"

#include <gtest/gtest.h>

namespace {
using namespace __heddle;
using namespace testing_schedule;

class PrioritiesTest : public testing::Test {
protected:
  PrioritiesTest() {
    for (ThreadId thread = 0; thread < 3; thread++) {
      priorities.Begin(thread, random);
      enabled.Add(thread);
    }
  }
  ThreadId Highest() const { return enabled[priorities.Highest(enabled)]; }

  Random random{1, 1};
  Priorities<Memory> priorities;
  EnabledSet<Memory> enabled;
};

TEST_F(PrioritiesTest, ALoweredThreadIsBelowThoseThatAreNot) {
  ThreadId first = Highest();
  EXPECT_TRUE(priorities.Lower(first, 9));
  ThreadId second = Highest();
  EXPECT_NE(second, first);
  EXPECT_TRUE(priorities.Lower(second, 5));
  ThreadId third = Highest();
  EXPECT_TRUE(priorities.Lower(third, 7));
  EXPECT_EQ(Highest(), first);
}

TEST_F(PrioritiesTest, NobodyIsRaised) {
  EXPECT_TRUE(priorities.Lower(0, 3));
  EXPECT_FALSE(priorities.Lower(0, 3));
  EXPECT_FALSE(priorities.Lower(0, 4));
  EXPECT_TRUE(priorities.Lower(0, 2));
  priorities.Sink(1);
  EXPECT_FALSE(priorities.Lower(1, 0));
}

TEST_F(PrioritiesTest, WhoSinksLastIsTheLowest) {
  for (ThreadId thread : {2, 0, 1})
    priorities.Sink(thread);
  EXPECT_EQ(Highest(), 2u);
  priorities.Sink(2);
  EXPECT_EQ(Highest(), 0u);
  priorities.Begin(3, random);
  enabled.Add(3);
  EXPECT_EQ(Highest(), 3u);
  EXPECT_TRUE(priorities.Lower(3, 0));
  EXPECT_EQ(Highest(), 3u);
}

} // namespace
