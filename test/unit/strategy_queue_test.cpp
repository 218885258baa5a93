// heddle/schedule/strategy_queue.h: the thread that has waited longest.

#include "heddle/schedule/strategy_queue.h"

#include "schedule_testing.h"

#include <gtest/gtest.h>

namespace {
using namespace __heddle;
using namespace testing_schedule;
using Threads = std::vector<ThreadId>;

TEST(QueueStrategy, IsFirstCome) {
  Course<QueueStrategy> course(1);
  EXPECT_TRUE(course.strategy.FirstCome());
  EXPECT_FALSE(course.strategy.NeedsNext());
}

TEST(QueueStrategy, TheOneThatHasWaitedLongest) {
  Course<QueueStrategy> course(3);
  EXPECT_EQ(course.Steps(4), (Threads{0, 1, 2, 0}));
  course.Ran(2); // out of turn
  course.Ran(1);
  EXPECT_EQ(course.Steps(4), (Threads{0, 2, 1, 0}));
}

TEST(QueueStrategy, NewThreadsAreLast) {
  Course<QueueStrategy> course(2);
  course.Ran(0);
  course.Create();
  EXPECT_EQ(course.Steps(4), (Threads{1, 0, 2, 1}));
  course.End(0);
  EXPECT_EQ(course.Steps(3), (Threads{2, 1, 2}));
}

} // namespace
