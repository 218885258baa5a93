#include "portfolio.h"

#include "heddle/schedule/strategy_settings.h"

#include <algorithm>

namespace heddle::hunt {
namespace {

struct Row {
  const char *strategy, *engine, *policy, *more;
};

// In the order of the first turns: what finds most bugs soonest comes first
// (benchmarks/structures). `strategy` as a policy leaves reads to pos and pctwm.
constexpr Row kRows[] = {
    {"random", "mograph", "oldest", ""},
    {"random", "mograph", "uniform", ""},
    {"pos", "mograph", "strategy", ""},
    {"pctwm", "mograph", "strategy", "schedule_depth=3 history_depth=2"},
    {"pct", "mograph", "uniform", "schedule_depth=3"},
    {"random", "mograph", "uniform", "switch_probability=0.1"},
    {"random", "buffer", "oldest", ""},
    {"urw", "mograph", "uniform", ""},
    {"random", "mograph", "stale", ""},
    {"pct", "mograph", "oldest", "schedule_depth=2"},
    {"pos", "buffer", "strategy", ""},
    {"pctwm", "buffer", "strategy", "schedule_depth=3 history_depth=2"},
    {"pctwm", "mograph", "strategy", "schedule_depth=1 history_depth=1"},
    {"urw", "mograph", "oldest", ""},
    {"random", "buffer", "uniform", "switch_probability=0.1"},
    {"pct", "buffer", "uniform", "schedule_depth=3"},
    {"random", "off", "", ""},
    {"pct", "off", "", "schedule_depth=3"},
    {"queue", "mograph", "uniform", ""},
    {"queue", "off", "", ""},
};

Arm MakeArm(const Estimate &estimate, const Row &row) {
  const std::string strategy = row.strategy, engine = row.engine, policy = row.policy;
  Arm arm;
  arm.engine = engine;
  arm.name = strategy + "+" + engine;
  arm.options.Set("schedule", strategy).Set("weak_memory", engine);
  if (!policy.empty()) {
    arm.options.Set("read_policy", policy);
    if (policy != "strategy")
      arm.name += "+" + policy;
  }
  const Options more(row.more);
  arm.options.Add(more);
  for (const char *flag : {"schedule_depth", "switch_probability"})
    if (more.Has(flag))
      arm.name += "+" + more.Get(flag);
  __heddle::StrategyKind kind;
  if (__heddle::ParseStrategy(row.strategy, kind) && __heddle::HasEvents(kind))
    arm.options.Set("schedule_events",
                    __heddle::EstimateEvents(kind, estimate.operations, estimate.communications));
  // A process of its own each time, with a recording.
  arm.recorded = strategy == "queue";
  arm.cost = arm.recorded ? 10 : 1;
  return arm;
}

bool Fits(const std::string &wanted, const char *value) {
  return wanted.empty() || wanted == value || (!*value && wanted == "newest");
}

} // namespace

std::vector<Arm> MakeArms(const Estimate &estimate, const std::string &strategy,
                          const std::string &engine, const std::string &policy) {
  std::vector<Arm> arms;
  for (const Row &row : kRows)
    if (Fits(strategy, row.strategy) && Fits(engine, row.engine) && Fits(policy, row.policy))
      arms.push_back(MakeArm(estimate, row));
  if (!arms.empty())
    return arms;
  // A combination that is not in the table, but was asked for.
  const std::string memory = engine.empty() ? "mograph" : engine;
  const std::string reads = memory == "off" ? "" : policy.empty() ? "uniform" : policy;
  const std::string schedule = strategy.empty() ? "random" : strategy;
  return {MakeArm(estimate, {schedule.c_str(), memory.c_str(), reads.c_str(), ""})};
}

Arm EstimationArm(const std::string &engine) {
  const std::string memory = engine.empty() ? "mograph" : engine;
  Arm arm = MakeArm({}, {"random", memory.c_str(), memory == "off" ? "" : "newest", ""});
  arm.name = "estimation";
  return arm;
}

Portfolio::Portfolio(std::vector<Arm> arms) {
  for (Arm &arm : arms) {
    Entry entry;
    entry.arm = std::move(arm);
    entries_.push_back(std::move(entry));
  }
}

size_t Portfolio::Next() {
  auto next = std::min_element(entries_.begin(), entries_.end(),
                               [](const Entry &a, const Entry &b) { return a.pass < b.pass; });
  next->pass += next->arm.cost / (1 + (kMaxWeight - 1) * next->score);
  next->figures.turns++;
  return size_t(next - entries_.begin());
}

void Portfolio::Learn(size_t arm, const Novelty &novelty) {
  // Pairs of load and store say more than orders, which are new nearly always.
  constexpr double kPairs = 0.5, kOrder = 0.05, kMemory = 0.9;
  Entry &entry = entries_[arm];
  const double value = novelty.finding      ? 1
                       : novelty.reads_from ? kPairs
                       : novelty.schedule   ? kOrder
                                            : 0;
  entry.score = kMemory * entry.score + (1 - kMemory) * value;
  entry.figures.findings += novelty.finding;
  entry.figures.reads_from += novelty.reads_from;
  entry.figures.schedules += novelty.schedule;
}

} // namespace heddle::hunt
