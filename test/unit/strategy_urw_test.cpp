// heddle/schedule/strategy_urw.h: interleavings are as likely, if the estimates are
// right, and what happens if they are not.

#include "heddle/schedule/strategy_urw.h"

#include "schedule_testing.h"

#include <gtest/gtest.h>

namespace {
using namespace __heddle;
using namespace testing_schedule;
using Threads = std::vector<ThreadId>;

StrategyOptions Options(u64 seed, const std::vector<u64> &estimates, u64 events = 1000) {
  StrategyOptions options = Seed(seed);
  options.events = events;
  options.thread_events = estimates.data();
  options.thread_events_count = u32(estimates.size());
  return options;
}

// Runs each thread as often as it says.
Threads Interleaving(Course<UrwStrategy> &course, std::vector<u64> operations) {
  Threads order;
  while (!course.enabled.Empty()) {
    ThreadId thread = course.Step();
    order.push_back(thread);
    if (--operations[thread] == 0)
      course.End(thread);
  }
  return order;
}

TEST(UrwStrategy, InterleavingsAreUniform) {
  struct Case {
    std::vector<u64> operations;
    u64 interleavings;
  };
  for (const Case &c : {Case{{3, 2}, 10}, Case{{1, 5}, 6}, Case{{2, 1, 2}, 30}}) {
    std::map<Threads, u64> counts;
    for (u64 seed = 0; seed < 12000; seed++) {
      Course<UrwStrategy> course(u32(c.operations.size()), Options(seed, c.operations));
      counts[Interleaving(course, c.operations)]++;
    }
    EXPECT_TRUE(AreUniform(counts, c.interleavings, 12000));
  }
}

TEST(UrwStrategy, WithoutEstimatesThreadsAreEqual) {
  std::map<ThreadId, u64> counts;
  for (u64 seed = 0; seed < 9000; seed++)
    counts[Course<UrwStrategy>(3, Options(seed, {})).Step()]++;
  EXPECT_TRUE(AreUniform(counts, 3, 9000));
}

// 30 are expected; with three threads 10 of each. One has 10, one 5, one 1 to go.
TEST(UrwStrategy, ItsShareIsExpected) {
  u64 counts[3] = {};
  for (u64 seed = 0; seed < 9000; seed++) {
    Course<UrwStrategy> course(3, Options(seed, {}, 30));
    for (int i = 0; i < 5; i++)
      course.Ran(1);
    for (int i = 0; i < 25; i++)
      course.Ran(2);
    counts[course.Pick()]++;
  }
  EXPECT_TRUE(IsLikely(counts[0], 9000, 10.0 / 16));
  EXPECT_TRUE(IsLikely(counts[1], 9000, 5.0 / 16));
  EXPECT_TRUE(IsLikely(counts[2], 9000, 1.0 / 16));
}

TEST(UrwStrategy, AThreadWithoutAnEstimate) {
  u64 second = 0;
  for (u64 seed = 0; seed < 9000; seed++) {
    std::vector<u64> estimates = {10};
    second += Course<UrwStrategy>(2, Options(seed, estimates, 60)).Step() == 1; // 30
  }
  EXPECT_TRUE(IsLikely(second, 9000, 30.0 / 40));
}

TEST(UrwStrategy, ExtremeEstimates) {
  std::vector<u64> estimates(100, ~0ull);
  estimates[0] = 0;
  Course<UrwStrategy> course(100, Options(1, estimates, StrategyOptions::kMaxEvents));
  for (ThreadId thread : course.Steps(1000))
    EXPECT_NE(thread, 0u); // one in 10^14
}

TEST(UrwStrategy, AYieldLetsOthersGoOn) {
  std::vector<u64> estimates = {StrategyOptions::kMaxEvents, 1};
  Course<UrwStrategy> course(2, Options(1, estimates));
  EXPECT_EQ(course.Step(), 0u);
  course.strategy.Yielded(0);
  EXPECT_EQ(course.Step(), 1u);
  EXPECT_EQ(course.Step(), 0u);
}

TEST(UrwStrategy, TheSeedDecides) {
  EXPECT_EQ(Course<UrwStrategy>(5, Seed(9)).Steps(100), Course<UrwStrategy>(5, Seed(9)).Steps(100));
  EXPECT_NE(Course<UrwStrategy>(5, Seed(9)).Steps(100),
            Course<UrwStrategy>(5, Seed(10)).Steps(100));
}

} // namespace
