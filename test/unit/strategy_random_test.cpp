// heddle/schedule/strategy_random.h: all are as likely, and how often it switches.

#include "heddle/schedule/strategy_random.h"

#include "schedule_testing.h"

#include <gtest/gtest.h>

namespace {
using namespace __heddle;
using namespace testing_schedule;

constexpr u32 kSteps = 20000;

TEST(RandomStrategy, Uniform) {
  for (u64 seed : {0, 1, 2, 3}) {
    for (u32 threads : {2u, 3u, 7u}) {
      Course<RandomStrategy> course(threads, Seed(seed));
      std::map<ThreadId, u64> counts;
      std::map<std::pair<ThreadId, ThreadId>, u64> pairs;
      ThreadId before = course.Step();
      for (ThreadId thread : course.Steps(kSteps)) {
        counts[thread]++;
        pairs[{before, thread}]++;
        before = thread;
      }
      EXPECT_TRUE(AreUniform(counts, threads, kSteps)) << seed << ' ' << threads;
      EXPECT_TRUE(AreUniform(pairs, threads * threads, kSteps)) << seed << ' ' << threads;
    }
  }
}

TEST(RandomStrategy, SwitchesAsOftenAsItShould) {
  for (u32 percent : {0u, 1u, 10u, 50u}) {
    StrategyOptions options = Seed(percent);
    options.switch_probability = Probability::Ratio(percent, 100);
    Course<RandomStrategy> course(4, options);
    u64 switches = 0;
    ThreadId before = course.Step();
    for (ThreadId thread : course.Steps(kSteps)) {
      switches += thread != before;
      before = thread;
    }
    // The thread itself is drawn one time in four.
    EXPECT_TRUE(IsLikely(switches, kSteps, percent / 100.0 * 3 / 4)) << percent;
  }
}

TEST(RandomStrategy, SomebodyElseIfTheThreadCannotGoOn) {
  StrategyOptions options = Seed(1);
  options.switch_probability = Probability::Never();
  std::map<ThreadId, u64> counts;
  for (u64 seed = 0; seed < 5000; seed++) {
    options.seed = seed;
    Course<RandomStrategy> course(4, options);
    course.Ran(2);
    course.End(2);
    counts[course.Step()]++;
  }
  EXPECT_TRUE(AreUniform(counts, 3, 5000));
}

TEST(RandomStrategy, AYieldLetsOthersGoOn) {
  StrategyOptions options = Seed(1);
  for (Probability probability : {Probability::Never(), Probability::Always()}) {
    options.switch_probability = probability;
    Course<RandomStrategy> course(3, options);
    for (int i = 0; i < 1000; i++) {
      ThreadId yields = course.Step();
      course.strategy.Yielded(yields);
      ASSERT_NE(course.Pick(), yields);
    }
  }
}

TEST(RandomStrategy, TheSeedDecides) {
  EXPECT_EQ(Course<RandomStrategy>(5, Seed(9)).Steps(100),
            Course<RandomStrategy>(5, Seed(9)).Steps(100));
  EXPECT_NE(Course<RandomStrategy>(5, Seed(9)).Steps(100),
            Course<RandomStrategy>(5, Seed(10)).Steps(100));
}

} // namespace
