// heddle/schedule/strategies.h: the list, and each of it in place.

#include "heddle/schedule/strategies.h"

#include "schedule_testing.h"

#include <gtest/gtest.h>

#include <string>

namespace {
using namespace __heddle;
using namespace testing_schedule;

TEST(Strategies, Names) {
  std::string names;
  for (u32 i = 0; i < kStrategyKinds; i++)
    names += std::string(NameOf(StrategyKind(i))) + " ";
  EXPECT_EQ(names, "random queue roundrobin pct pctwm pos urw ");
  EXPECT_STREQ(NameOf(StrategyKind::kUrw), "urw");
}

TEST(Strategies, EachInPlace) {
  uptr live = Memory::live;
  for (u32 i = 0; i < kStrategyKinds; i++) {
    StrategyKind kind = StrategyKind(i);
    AnyStrategy<Memory> any(kind, Seed(3));
    EXPECT_EQ(any.Kind(), kind);
    EXPECT_EQ(any.Get().FirstCome(), kind == StrategyKind::kQueue);
    EXPECT_EQ(any.Get().NeedsNext(), kind == StrategyKind::kPos || kind == StrategyKind::kPctwm);
    EnabledSet<Memory> enabled;
    std::vector<Operation> next(40, kAnyOperation);
    for (ThreadId thread = 0; thread < 40; thread++) {
      any.Get().Begin(thread);
      enabled.Add(thread);
    }
    for (int step = 0; step < 100; step++) {
      u32 index = any.Get().Pick(enabled, {next.data()});
      ASSERT_LT(index, enabled.Count());
      any.Get().Ran(enabled[index], kAnyOperation);
      if (step % 10 == 0)
        any.Get().Yielded(enabled[index]);
      enabled.SetCurrent(enabled[index]);
    }
    any.Get().End(7);
  }
  EXPECT_EQ(Memory::live, live);
}

// The same strategy as the class by itself.
TEST(Strategies, OptionsArePassedOn) {
  for (u64 seed = 0; seed < 20; seed++) {
    AnyStrategy<Memory> any(StrategyKind::kRandom, Seed(seed));
    Course<RandomStrategy> course(5, Seed(seed));
    EnabledSet<Memory> enabled;
    for (ThreadId thread = 0; thread < 5; thread++) {
      any.Get().Begin(thread);
      enabled.Add(thread);
    }
    EXPECT_EQ(course.Pick(), enabled[any.Get().Pick(enabled, {})]);
  }
}

// One that takes another's place is as if it had been the first.
TEST(Strategies, Replaced) {
  uptr live = Memory::live;
  for (u32 i = 0; i < kStrategyKinds; i++) {
    AnyStrategy<Memory> any(StrategyKind((i + 1) % kStrategyKinds), Seed(1));
    any.Get().Begin(0);
    any.Replace(StrategyKind(i), Seed(5));
    EXPECT_EQ(any.Kind(), StrategyKind(i));
    AnyStrategy<Memory> fresh(StrategyKind(i), Seed(5));
    EnabledSet<Memory> enabled;
    std::vector<Operation> next(5, kAnyOperation);
    for (ThreadId thread = 0; thread < 5; thread++) {
      any.Get().Begin(thread);
      fresh.Get().Begin(thread);
      enabled.Add(thread);
    }
    for (int step = 0; step < 50; step++) {
      u32 index = any.Get().Pick(enabled, {next.data()});
      ASSERT_EQ(index, fresh.Get().Pick(enabled, {next.data()}));
      any.Get().Ran(enabled[index], kAnyOperation);
      fresh.Get().Ran(enabled[index], kAnyOperation);
    }
  }
  EXPECT_EQ(Memory::live, live);
}

TEST(StrategiesDeathTest, NoSuchKind) {
  EXPECT_DEATH(AnyStrategy<Memory>(StrategyKind(kStrategyKinds), {}), "");
}

} // namespace
