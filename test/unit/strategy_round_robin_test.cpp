// heddle/schedule/strategy_round_robin.h: in turn.

#include "heddle/schedule/strategy_round_robin.h"

#include "schedule_testing.h"

#include <gtest/gtest.h>

namespace {
using namespace __heddle;
using namespace testing_schedule;
using Threads = std::vector<ThreadId>;

TEST(RoundRobinStrategy, InTurn) {
  Course<RoundRobinStrategy> course(3);
  EXPECT_EQ(course.Steps(7), (Threads{0, 1, 2, 0, 1, 2, 0}));
}

TEST(RoundRobinStrategy, ThreadsComeAndGo) {
  Course<RoundRobinStrategy> course(4);
  EXPECT_EQ(course.Steps(2), (Threads{0, 1}));
  course.End(1); // the one that has just run
  course.End(2); // the one that would be next
  EXPECT_EQ(course.Steps(2), (Threads{3, 0}));
  course.Create();
  EXPECT_EQ(course.Steps(4), (Threads{3, 4, 0, 3}));
}

TEST(RoundRobinStrategy, AfterWhoeverRan) {
  Course<RoundRobinStrategy> course(4);
  course.Ran(2);
  EXPECT_EQ(course.Step(), 3u);
  course.Ran(0);
  EXPECT_EQ(course.Step(), 1u);
}

} // namespace
