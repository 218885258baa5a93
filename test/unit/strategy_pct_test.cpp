// heddle/schedule/strategy_pct.h: priorities, changes, yields. What it finds is in
// schedule_simulator_test.cpp.

#include "heddle/schedule/strategy_pct.h"

#include "schedule_testing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace {
using namespace __heddle;
using namespace testing_schedule;
using Threads = std::vector<ThreadId>;

StrategyOptions Options(u64 seed, u32 depth, u64 events) {
  StrategyOptions options = Seed(seed);
  options.depth = depth;
  options.events = events;
  return options;
}

// In which order threads run to their ends.
Threads Order(Course<PctStrategy> &course) {
  Threads order;
  while (!course.enabled.Empty()) {
    order.push_back(course.Step());
    course.End(order.back());
  }
  return order;
}

TEST(PctStrategy, DepthOneNeverPreempts) {
  for (u64 seed = 0; seed < 100; seed++) {
    Course<PctStrategy> course(4, Options(seed, 1, 1000));
    Threads steps = course.Steps(500);
    EXPECT_EQ(std::set<ThreadId>(steps.begin(), steps.end()).size(), 1u);
  }
}

TEST(PctStrategy, AllInitialOrdersAreAsLikely) {
  std::map<Threads, u64> orders;
  for (u64 seed = 0; seed < 12000; seed++) {
    Course<PctStrategy> course(4, Options(seed, 1, 1000));
    orders[Order(course)]++;
  }
  EXPECT_TRUE(AreUniform(orders, 24, 12000));
}

// One of two threads is lowered once, at a step that is any of the first `events`.
TEST(PctStrategy, ChangesAreUniform) {
  constexpr u32 kEvents = 10, kSeeds = 10000;
  std::map<u32, u64> changes;
  for (u64 seed = 0; seed < kSeeds; seed++) {
    Course<PctStrategy> course(2, Options(seed, 2, kEvents));
    Threads steps = course.Steps(kEvents);
    // Lowered before the first step: as if it had been the other's from the start.
    u32 at = 0;
    while (at < kEvents && steps[at] == steps[0])
      at++;
    ASSERT_EQ(std::set<ThreadId>(steps.begin() + at, steps.end()).size(), at < kEvents ? 1u : 0u);
    changes[at]++;
  }
  EXPECT_TRUE(AreUniform(changes, kEvents, kSeeds));
}

// The order in which changes lie is independent of the order of their priorities.
TEST(PctStrategy, ChangesHaveRandomPriorities) {
  constexpr u32 kSeeds = 6000;
  u64 reversed = 0, all = 0;
  for (u64 seed = 0; seed < kSeeds; seed++) {
    Course<PctStrategy> course(3, Options(seed, 3, 100));
    Threads steps = course.Steps(99);
    // Those with two changes of two threads: the third then runs, and once it has
    // ended, the one with the higher of the two priorities.
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    if (steps.size() != 3 || steps[2] == steps[0])
      continue;
    all++;
    course.End(steps[2]);
    reversed += course.Step() == steps[0];
  }
  EXPECT_GT(all, kSeeds / 2);
  EXPECT_TRUE(IsLikely(reversed, all, 0.5));
}

// A change where nobody was asked lowers the thread that ran.
TEST(PctStrategy, ChangesHappenWithoutAPick) {
  for (u64 seed = 0; seed < 100; seed++) {
    Course<PctStrategy> course(2, Options(seed, 2, 5));
    ThreadId highest = course.Pick();
    for (int i = 0; i < 4; i++)
      course.Ran(highest);
    Course<PctStrategy> same(2, Options(seed, 2, 5));
    Threads steps = same.Steps(4);
    if (std::count(steps.begin(), steps.end(), highest) < 4 || steps[0] != highest)
      EXPECT_NE(course.Pick(), highest) << seed;
  }
}

TEST(PctStrategy, AYieldFallsBelowAll) {
  for (u64 seed = 0; seed < 50; seed++) {
    Course<PctStrategy> course(3, Options(seed, 1, 1000));
    Threads yielded;
    for (int i = 0; i < 9; i++) {
      yielded.push_back(course.Step());
      course.strategy.Yielded(yielded.back());
    }
    // From then on they take turns.
    for (int i = 3; i < 9; i++)
      EXPECT_EQ(yielded[i], yielded[i - 3]);
    EXPECT_EQ(std::set<ThreadId>(yielded.begin(), yielded.end()).size(), 3u);
  }
}

TEST(PctStrategy, AfterAllEventsItIsFair) {
  Course<PctStrategy> course(3, Options(5, 1, 100));
  Threads steps = course.Steps(400);
  EXPECT_EQ(std::set<ThreadId>(steps.begin(), steps.begin() + 100).size(), 1u);
  EXPECT_EQ(std::set<ThreadId>(steps.begin(), steps.begin() + 300).size(), 3u);
}

TEST(PctStrategy, TheSeedDecides) {
  EXPECT_EQ(Course<PctStrategy>(5, Options(9, 10, 100)).Steps(200),
            Course<PctStrategy>(5, Options(9, 10, 100)).Steps(200));
  EXPECT_NE(Course<PctStrategy>(5, Options(9, 10, 100)).Steps(200),
            Course<PctStrategy>(5, Options(10, 10, 100)).Steps(200));
}

TEST(PctStrategyDeathTest, BadOptions) {
  EXPECT_DEATH(PctStrategy<Memory>(Options(1, 0, 100)), "");
  EXPECT_DEATH(PctStrategy<Memory>(Options(1, 101, 100)), "");
  EXPECT_DEATH(PctStrategy<Memory>(Options(1, 2, 0)), "");
}

} // namespace
