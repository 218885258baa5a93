#include "shrink.h"

#include "portfolio.h"
#include "recording.h"

#include <algorithm>
#include <chrono>

namespace heddle::hunt {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<Arm> ShrinkArms(const std::string &engine, uint64_t operations) {
  const std::string events =
      " schedule_events=" + std::to_string(std::max<uint64_t>(1, operations));
  const std::vector<std::string> schedules = {
      "schedule=random switch_probability=0.1",  "schedule=pct schedule_depth=2" + events,
      "schedule=random switch_probability=0.02", "schedule=pct schedule_depth=1" + events,
      "schedule=random switch_probability=0.3",  "schedule=pct schedule_depth=3" + events,
  };
  // What reads the newest store has no stale reads; the others have few if threads seldom meet.
  std::vector<std::string> policies = {""};
  if (engine != "off")
    policies = {"newest", "uniform", "stale", "oldest"};
  std::vector<Arm> arms;
  for (const std::string &policy : policies)
    for (const std::string &schedule : schedules) {
      Arm arm;
      arm.engine = engine;
      arm.options = Options(schedule);
      arm.options.Set("weak_memory", engine);
      if (!policy.empty())
        arm.options.Set("read_policy", policy);
      arm.name = arm.options.Text();
      arms.push_back(arm);
    }
  return arms;
}

} // namespace

ShrinkOutcome Shrink(Executor &executor, const Options &base, const Options &last,
                     const std::string &engine, const Observation &wanted, const Cost &cost,
                     int report_code, const ShrinkBudget &budget) {
  ShrinkOutcome best;
  best.cost = cost;
  Portfolio portfolio(ShrinkArms(engine, cost.operations));
  const auto start = Clock::now();
  while (best.runs < budget.runs && best.cost.Total() > 0 &&
         std::chrono::duration<double>(Clock::now() - start).count() < budget.seconds) {
    const size_t arm = portfolio.Next();
    const uint64_t seed = ++best.runs;
    Options chosen = portfolio.At(arm).options;
    chosen.Set("seed", seed);
    Options options = base;
    const Execution execution = executor.Run(options.Add(chosen).Add(last));
    if (execution.ended.how == Ended::How::kInterrupted)
      break;
    const bool shown = FindSame(ReadOutcome(execution.ended, report_code), wanted) != nullptr;
    const Cost now = CostOf(execution.statistics);
    Novelty novelty;
    novelty.reads_from = shown; // worth trying again
    if (shown && now.known && now.Total() < best.cost.Total()) {
      novelty.finding = best.simpler = true;
      best.options = chosen;
      best.seed = seed;
      best.cost = now;
    }
    portfolio.Learn(arm, novelty);
  }
  return best;
}

} // namespace heddle::hunt
