// utils/heddle/hunt/shrink.h: the simplest execution that shows the same, within the budget.

#include "heddle/hunt/shrink.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace {
using namespace heddle::hunt;

// Stands in for a program: says from the options how an execution went.
class Made final : public Executor {
public:
  explicit Made(std::function<Execution(const Options &)> make) : make_(std::move(make)) {}

  Execution Run(const Options &options) override {
    seen.push_back(options);
    return make_(options);
  }

  std::vector<Options> seen;

private:
  std::function<Execution(const Options &)> make_;
};

Execution Ending(int code, uint64_t preemptions, uint64_t stale_reads) {
  Execution execution;
  execution.ended.code = code;
  execution.statistics.emplace();
  execution.statistics->preemptions = preemptions;
  execution.statistics->stale_reads = stale_reads;
  return execution;
}

Cost CostBefore() {
  Cost cost;
  cost.preemptions = 40;
  cost.stale_reads = 10;
  cost.operations = 300;
  cost.known = true;
  return cost;
}

Observation Wanted() { return ReadOutcome(Ending(3, 0, 0).ended)[0]; }

ShrinkOutcome ShrinkWith(Executor &executor, uint64_t runs) {
  ShrinkBudget budget;
  budget.runs = runs;
  budget.seconds = 3600;
  return Shrink(executor, Options("symbolize=0"), Options("last=1"), "mograph", Wanted(),
                CostBefore(), 66, budget);
}

TEST(HuntShrink, KeepsTheCheapestThatShowsTheSame) {
  // pct of depth 2 with uniform reads shows it, the cheaper the larger the seed; others show
  // something else, cheaply.
  Made executor([](const Options &options) {
    const uint64_t seed = std::stoull(options.Get("seed"));
    if (options.Get("schedule") == "pct" && options.Get("schedule_depth") == "2" &&
        options.Get("read_policy") == "uniform")
      return Ending(3, 100 - seed / 4, 5);
    return Ending(seed % 2 ? 4 : 0, 0, 0);
  });
  const ShrinkOutcome outcome = ShrinkWith(executor, 300);
  EXPECT_TRUE(outcome.simpler);
  EXPECT_EQ(outcome.runs, 300u);
  EXPECT_EQ(outcome.options.Get("schedule_depth"), "2");
  EXPECT_EQ(outcome.options.Get("schedule_events"), "300");
  EXPECT_EQ(outcome.options.Get("seed"), std::to_string(outcome.seed));
  EXPECT_EQ(outcome.cost.stale_reads, 5u);
  EXPECT_LT(outcome.cost.preemptions, 40u);
  // Who shows it has more turns, and each has some; all with the flags given.
  uint64_t good = 0;
  std::set<std::string> seeds;
  for (const Options &options : executor.seen) {
    good += options.Get("schedule_depth") == "2" && options.Get("read_policy") == "uniform";
    seeds.insert(options.Get("seed"));
    EXPECT_EQ(options.Get("symbolize") + options.Get("last") + options.Get("weak_memory"),
              "01mograph");
  }
  EXPECT_GT(good, 60u);
  EXPECT_EQ(seeds.size(), 300u);
}

TEST(HuntShrink, StopsAtNothing) {
  Made executor([](const Options &) { return Ending(3, 0, 0); });
  const ShrinkOutcome outcome = ShrinkWith(executor, 300);
  EXPECT_TRUE(outcome.simpler);
  EXPECT_EQ(outcome.runs, 1u);
  EXPECT_EQ(outcome.cost.Total(), 0u);
}

TEST(HuntShrink, NothingSimpler) {
  Made same([](const Options &) { return Ending(3, 40, 10); });
  EXPECT_FALSE(ShrinkWith(same, 50).simpler);
  Made uncounted([](const Options &) {
    Execution execution = Ending(3, 0, 0);
    execution.statistics.reset();
    return execution;
  });
  EXPECT_FALSE(ShrinkWith(uncounted, 50).simpler);
  EXPECT_EQ(ShrinkWith(uncounted, 0).runs, 0u);
}

TEST(HuntShrink, StopsWhenTheCommandDoes) {
  Made executor([](const Options &) {
    Execution execution;
    execution.ended.how = Ended::How::kInterrupted;
    return execution;
  });
  EXPECT_FALSE(ShrinkWith(executor, 50).simpler);
  EXPECT_EQ(executor.seen.size(), 1u);
}

} // namespace
