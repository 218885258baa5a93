// heddle/schedule/strategy_chooser.h: whose question goes where.

#include "heddle/schedule/strategy_chooser.h"

#include "schedule_testing.h"

#include <gtest/gtest.h>

#include <map>

namespace {
using namespace __heddle;
using namespace testing_schedule;

class LastOne final : public Strategy<Memory> {
public:
  u32 Pick(const EnabledSet<Memory> &enabled, Next next) override {
    picks++;
    seen = next[1].object;
    return enabled.Count() - 1;
  }
  u32 picks = 0;
  uptr seen = 0;
};

class StrategyChooserTest : public testing::Test {
protected:
  StrategyChooserTest() {
    for (ThreadId thread = 0; thread < 3; thread++)
      enabled.Add(thread);
  }

  LastOne strategy;
  StrategyChooser<Memory> chooser{strategy, 7};
  EnabledSet<Memory> enabled;
  Operation next[3] = {{}, {OperationKind::kLoad, 42}, {}};
};

TEST_F(StrategyChooserTest, ThreadsAreTheStrategys) {
  chooser.Show(&enabled, {next});
  EXPECT_EQ(chooser.Choose(ChoiceKind::kThread, 3), 2u);
  EXPECT_EQ(strategy.picks, 1u);
  EXPECT_EQ(strategy.seen, 42u);
}

TEST_F(StrategyChooserTest, GoesOnAsIfItWereNew) {
  for (int i = 0; i < 100; i++)
    chooser.Choose(ChoiceKind::kWake, 1000);
  LastOne other;
  chooser.GoOnWith(other, 8, ReadPolicy::kNewest);
  StrategyChooser<Memory> fresh(other, 8, ReadPolicy::kNewest);
  for (int i = 0; i < 100; i++)
    EXPECT_EQ(chooser.Choose(ChoiceKind::kWake, 1000), fresh.Choose(ChoiceKind::kWake, 1000));
  EXPECT_EQ(chooser.Choose(ChoiceKind::kRead, 9), 0u);
  chooser.Show(&enabled, {next});
  chooser.Choose(ChoiceKind::kThread, 3);
  EXPECT_EQ(strategy.picks, 0u);
  EXPECT_EQ(other.picks, 1u);
}

TEST_F(StrategyChooserTest, AForcedAnswer) {
  chooser.Show(&enabled, {next});
  chooser.Force(1);
  EXPECT_EQ(chooser.Choose(ChoiceKind::kThread, 3), 1u);
  chooser.Unforce();
  EXPECT_EQ(strategy.picks, 0u);
  EXPECT_EQ(chooser.Choose(ChoiceKind::kThread, 3), 2u);
}

// Another chooser may have answered instead: the force does not outlive its question.
TEST_F(StrategyChooserTest, AForceThatNobodyAskedFor) {
  chooser.Show(&enabled, {next});
  chooser.Force(1);
  chooser.Unforce();
  EXPECT_EQ(chooser.Choose(ChoiceKind::kThread, 3), 2u);
}

TEST_F(StrategyChooserTest, OtherKindsHaveTheirOdds) {
  constexpr u32 kDraws = 20000;
  u64 spurious = 0, timeouts = 0, woken[4] = {};
  for (u32 i = 0; i < kDraws; i++) {
    spurious += chooser.Choose(ChoiceKind::kSpurious, 2);
    timeouts += chooser.Choose(ChoiceKind::kTimeout, 2);
    woken[chooser.Choose(ChoiceKind::kWake, 4)]++;
    EXPECT_LT(chooser.Choose(ChoiceKind::kRead, 5), 5u);
    EXPECT_LT(chooser.Choose(ChoiceKind::kValue, 5), 5u);
  }
  EXPECT_TRUE(IsLikely(spurious, kDraws, 1.0 / StrategyChooser<Memory>::kSpuriousOneIn));
  EXPECT_TRUE(IsLikely(timeouts, kDraws, 1.0 / StrategyChooser<Memory>::kTimeoutOneIn));
  for (u64 count : woken)
    EXPECT_TRUE(IsLikely(count, kDraws, 0.25));
  EXPECT_EQ(strategy.picks, 0u);
}

TEST_F(StrategyChooserTest, KindsDoNotDisturbEachOther) {
  StrategyChooser<Memory> other(strategy, 7);
  for (int i = 0; i < 1000; i++) {
    for (int j = 0; j < i % 5; j++)
      other.Choose(ChoiceKind::kSpurious, 2);
    ASSERT_EQ(chooser.Choose(ChoiceKind::kWake, 9), other.Choose(ChoiceKind::kWake, 9));
  }
}

// What each policy answers to a load that may read one of ten stores, of which the
// thread knows the fourth, or the fourth and the second.
std::map<u32, u64> Reads(ReadPolicy policy, const Views &views) {
  LastOne strategy;
  StrategyChooser<Memory> chooser(strategy, 7, policy);
  std::map<u32, u64> reads;
  for (int i = 0; i < 8000; i++) {
    chooser.ShowRead(0, views);
    reads[chooser.Choose(ChoiceKind::kRead, 10)]++;
  }
  return reads;
}

// A strategy that has something to say about what is read.
class ReadsTheSecond final : public Strategy<Memory> {
public:
  u32 PickRead(ThreadId, u32) override { return answer; }
  u32 answer = 1;
};

TEST(ReadPolicy, TheStrategyIsAskedUnlessAPolicyIsSet) {
  ReadsTheSecond strategy;
  StrategyChooser<Memory> by_default(strategy, 7), newest(strategy, 7, ReadPolicy::kNewest);
  for (auto *chooser : {&by_default, &newest})
    chooser->ShowRead(0, {1, 3});
  EXPECT_EQ(by_default.Choose(ChoiceKind::kRead, 10), 1u);
  EXPECT_EQ(newest.Choose(ChoiceKind::kRead, 10), 0u);
  strategy.answer = Strategy<Memory>::kViewRead;
  EXPECT_EQ(by_default.Choose(ChoiceKind::kRead, 10), 3u);
  EXPECT_EQ(newest.Choose(ChoiceKind::kRead, 10), 0u);
}

TEST(ReadPolicy, AnyIfTheStrategySaysNothing) {
  EXPECT_TRUE(AreUniform(Reads(ReadPolicy::kStrategy, {1, 3}), 10, 8000));
}

TEST(ReadPolicy, Uniform) {
  EXPECT_TRUE(AreUniform(Reads(ReadPolicy::kUniform, {1, 3}), 10, 8000));
}

TEST(ReadPolicy, Newest) {
  EXPECT_EQ(Reads(ReadPolicy::kNewest, {1, 3}), (std::map<u32, u64>{{0, 8000}}));
}

TEST(ReadPolicy, Oldest) {
  EXPECT_EQ(Reads(ReadPolicy::kOldest, {1, 3}), (std::map<u32, u64>{{3, 8000}}));
  std::map<u32, u64> reads = Reads(ReadPolicy::kOldest, {2, 3});
  EXPECT_TRUE(AreUniform(reads, 2, 8000));
  EXPECT_TRUE(reads[3] && reads[1]);
}

// By the seed: one and the same for an execution.
TEST(ReadPolicy, Mixed) {
  std::map<u64, u64> stores; // that were read, by their number
  for (u64 seed = 1; seed <= 1000; seed++) {
    ReadsTheSecond strategy;
    StrategyChooser<Memory> chooser(strategy, seed, ReadPolicy::kMixed);
    chooser.ShowRead(0, {1, 3});
    std::map<u32, u64> reads;
    for (int i = 0; i < 800; i++)
      reads[chooser.Choose(ChoiceKind::kRead, 10)]++;
    const u64 views = reads[3];
    stores[views == 800 ? 0 : views > 400 ? 1 : 2]++;
  }
  EXPECT_EQ(stores.size(), 3u);
  EXPECT_TRUE(IsLikely(stores[0], 1000, 1.0 / 2)); // oldest
  EXPECT_TRUE(IsLikely(stores[1], 1000, 1.0 / 4)); // stale
  EXPECT_TRUE(IsLikely(stores[2], 1000, 1.0 / 4)); // uniform
}

TEST(ReadPolicy, Stale) {
  std::map<u32, u64> reads = Reads(ReadPolicy::kStale, {1, 3});
  EXPECT_EQ(reads.size(), 10u);
  EXPECT_TRUE(IsLikely(reads[3], 8000, 7.0 / 8 + 1.0 / 80));
  EXPECT_TRUE(IsLikely(reads[0], 8000, 1.0 / 80));
}

} // namespace
