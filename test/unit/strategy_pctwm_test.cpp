// heddle/schedule/strategy_pctwm.h: priorities, sinks, what loads read. What it finds
// in real programs is in benchmarks/structures.

#include "heddle/schedule/strategy_pctwm.h"

#include "schedule_testing.h"

#include <gtest/gtest.h>

#include <set>

namespace {
using namespace __heddle;
using namespace testing_schedule;
using Threads = std::vector<ThreadId>;

constexpr u32 kView = Strategy<Memory>::kViewRead;

StrategyOptions Options(u64 seed, u32 depth, u64 events, u32 history = 1) {
  StrategyOptions options = Seed(seed);
  options.depth = depth;
  options.events = events;
  options.history = history;
  return options;
}

TEST(PctwmStrategy, DepthZeroNeverPreemptsAndReadsNothingNew) {
  for (u64 seed = 0; seed < 100; seed++) {
    Course<PctwmStrategy> course(4, Options(seed, 0, 1000));
    Threads steps;
    for (int i = 0; i < 500; i++) {
      steps.push_back(course.Pick());
      EXPECT_EQ(course.strategy.PickRead(steps.back(), 5), kView);
      course.Ran(steps.back());
    }
    EXPECT_EQ(std::set<ThreadId>(steps.begin(), steps.end()).size(), 1u);
  }
}

TEST(PctwmStrategy, AllInitialOrdersAreAsLikely) {
  std::map<Threads, u64> orders;
  for (u64 seed = 0; seed < 6000; seed++) {
    Course<PctwmStrategy> course(3, Options(seed, 0, 1000));
    Threads order;
    while (!course.enabled.Empty()) {
      order.push_back(course.Step());
      course.End(order.back());
    }
    orders[order]++;
  }
  EXPECT_TRUE(AreUniform(orders, 6, 6000));
}

// The one sink is any of the operations. It is put off until the other thread is done,
// and reads one of the newest stores.
TEST(PctwmStrategy, ASinkIsPutOff) {
  constexpr u32 kOperations = 5, kSeeds = 10000;
  std::map<std::pair<ThreadId, u32>, u64> sinks; // as if the first thread were 0
  for (u64 seed = 0; seed < kSeeds; seed++) {
    Course<PctwmStrategy> course(2, Options(seed, 1, 2 * kOperations, 3));
    u32 done[2] = {};
    ThreadId first = kNoThread;
    u32 read_globally = 0;
    while (!course.enabled.Empty()) {
      ThreadId thread = course.Pick();
      first = first == kNoThread ? thread : first;
      u32 read = course.strategy.PickRead(thread, 10);
      if (read != kView) {
        read_globally++;
        EXPECT_LT(read, 3u);
        // The other one has nothing left to do, unless it came first.
        EXPECT_TRUE(done[1 - thread] == kOperations || thread != first);
        sinks[{thread == first ? 0u : 1u, done[thread]}]++;
      }
      course.Ran(thread);
      if (++done[thread] == kOperations)
        course.End(thread);
    }
    EXPECT_EQ(read_globally, 1u);
  }
  // If the very first operation is put off, the other thread seems to be the first.
  u64 total = 0;
  for (const auto &sink : sinks)
    total += sink.second;
  EXPECT_EQ(total, u64(kSeeds));
  EXPECT_TRUE(IsLikely(sinks[{0, 3}], kSeeds, 0.1));
  EXPECT_TRUE(IsLikely(sinks[{1, 3}], kSeeds, 0.1));
}

// Of two sinks in two threads, either may be the first to be taken up again.
TEST(PctwmStrategy, SinksHaveAnOrder) {
  u64 turned = 0, seeds = 0;
  for (u64 seed = 0; seed < 4000; seed++) {
    Course<PctwmStrategy> course(2, Options(seed, 2, 2));
    // Both are put off at once; the third thread, which comes later, goes first.
    ThreadId third = course.Create();
    ThreadId one = course.Step();
    if (one != third)
      continue; // it had not the lowest priority
    course.End(third);
    seeds++;
    turned += course.Pick() == 0;
  }
  EXPECT_GT(seeds, 500u);
  EXPECT_TRUE(IsLikely(turned, seeds, 0.5)) << turned << " of " << seeds;
}

TEST(PctwmStrategy, WhoWaitsLetsOthersGoOnAndReadsWhatIsNew) {
  Course<PctwmStrategy> course(2, Options(1, 0, 1000));
  ThreadId first = course.Step();
  course.strategy.Yielded(first);
  EXPECT_EQ(course.Pick(), 1 - first);
  EXPECT_EQ(course.strategy.PickRead(first, 10), 0u);
  course.Ran(first);
  EXPECT_EQ(course.strategy.PickRead(first, 10), kView);
}

TEST(PctwmStrategy, StoresDoNotCount) {
  Course<PctwmStrategy> course(1, Options(1, 1, 1));
  course.next[0] = {OperationKind::kStore, 8};
  for (int i = 0; i < 10; i++)
    course.Step();
  course.next[0] = {OperationKind::kLoad, 8};
  EXPECT_EQ(course.strategy.PickRead(0, 10), 0u);
}

} // namespace
