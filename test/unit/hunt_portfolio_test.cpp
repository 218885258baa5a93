// utils/heddle/hunt/portfolio.h: who has how many turns.

#include "heddle/hunt/portfolio.h"

#include <gtest/gtest.h>

#include <set>

namespace {
using namespace heddle::hunt;

std::vector<Arm> All() { return MakeArms({500, 200}, "", "", ""); }

TEST(HuntPortfolio, FirstEachHasATurn) {
  Portfolio portfolio(All());
  std::set<size_t> seen;
  for (size_t i = 0; i < portfolio.Size(); i++) {
    const size_t arm = portfolio.Next();
    EXPECT_EQ(arm, i);
    seen.insert(arm);
    portfolio.Learn(arm, {});
  }
  EXPECT_EQ(seen.size(), portfolio.Size());
}

TEST(HuntPortfolio, WhoShowsSomethingNewHasMoreTurns) {
  Portfolio portfolio(All());
  for (int i = 0; i < 5000; i++) {
    const size_t arm = portfolio.Next();
    Novelty novelty;
    novelty.reads_from = arm == 3;
    novelty.finding = arm == 5;
    novelty.schedule = arm == 7;
    portfolio.Learn(arm, novelty);
  }
  const auto turns = [&](size_t arm) { return portfolio.FiguresOf(arm).turns; };
  EXPECT_GT(turns(5), 1.5 * double(turns(3)));
  EXPECT_GT(turns(3), 5 * turns(0));
  EXPECT_GT(turns(7), turns(0));
  // Nobody is left out.
  for (size_t arm = 0; arm < portfolio.Size(); arm++)
    EXPECT_GT(turns(arm), portfolio.At(arm).recorded ? 5u : 50u) << portfolio.At(arm).name;
  EXPECT_EQ(portfolio.FiguresOf(3).reads_from, turns(3));
}

TEST(HuntPortfolio, WhatIsNewForOnceIsForgotten) {
  Portfolio portfolio(All());
  Novelty finding;
  finding.finding = true;
  for (int i = 0; i < 10; i++)
    portfolio.Learn(0, finding);
  for (int i = 0; i < 20000; i++)
    portfolio.Learn(portfolio.Next(), {});
  EXPECT_LT(portfolio.FiguresOf(0).turns, 1.1 * double(portfolio.FiguresOf(1).turns));
}

TEST(HuntPortfolio, TheSameResultsGiveTheSameTurns) {
  Portfolio one(All()), two(All());
  for (int i = 0; i < 1000; i++) {
    const size_t arm = one.Next();
    ASSERT_EQ(two.Next(), arm);
    Novelty novelty;
    novelty.reads_from = uint64_t(i % 7 == 0);
    one.Learn(arm, novelty);
    two.Learn(arm, novelty);
  }
}

TEST(HuntPortfolio, ArmsAreDistinctAndComplete) {
  std::set<std::string> names;
  std::set<std::string> strategies, engines, policies;
  for (const Arm &arm : All()) {
    EXPECT_TRUE(names.insert(arm.name).second) << arm.name;
    EXPECT_EQ(arm.engine, arm.options.Get("weak_memory"));
    strategies.insert(arm.options.Get("schedule"));
    engines.insert(arm.engine);
    policies.insert(arm.options.Get("read_policy"));
    EXPECT_EQ(arm.recorded, arm.options.Get("schedule") == "queue"); // only it depends on time
    EXPECT_FALSE(arm.options.Has("seed"));
  }
  EXPECT_EQ(strategies, (std::set<std::string>{"random", "pct", "pctwm", "pos", "urw", "queue"}));
  EXPECT_EQ(engines, (std::set<std::string>{"off", "buffer", "mograph"}));
  EXPECT_EQ(policies, (std::set<std::string>{"", "oldest", "uniform", "stale", "strategy"}));
}

TEST(HuntPortfolio, EstimatesReachThoseThatWantThem) {
  for (const Arm &arm : All()) {
    const std::string strategy = arm.options.Get("schedule");
    EXPECT_EQ(arm.options.Get("schedule_events"), strategy == "pct" || strategy == "urw" ? "500"
                                                  : strategy == "pctwm"                  ? "200"
                                                                                         : "");
  }
  // Nothing was counted: not 0, which the runtime refuses.
  for (const Arm &arm : MakeArms({0, 0}, "pct", "", ""))
    EXPECT_EQ(arm.options.Get("schedule_events"), "1");
}

TEST(HuntPortfolio, OnlyWhatWasAskedFor) {
  for (const Arm &arm : MakeArms({}, "pct", "", ""))
    EXPECT_EQ(arm.options.Get("schedule"), "pct");
  for (const Arm &arm : MakeArms({}, "", "buffer", "uniform"))
    EXPECT_EQ(arm.options.Get("weak_memory") + arm.options.Get("read_policy"), "bufferuniform");
  // Also what the table has not.
  const std::vector<Arm> odd = MakeArms({}, "roundrobin", "mograph", "stale");
  ASSERT_EQ(odd.size(), 1u);
  EXPECT_EQ(odd[0].options.Text(), "schedule=roundrobin weak_memory=mograph read_policy=stale");
  EXPECT_EQ(EstimationArm("off").options.Text(), "schedule=random weak_memory=off");
  EXPECT_EQ(EstimationArm("").options.Text(),
            "schedule=random weak_memory=mograph read_policy=newest");
}

} // namespace
