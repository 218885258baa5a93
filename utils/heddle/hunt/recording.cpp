#include "recording.h"

#include "files.h"

namespace heddle::hunt {

Cost CostOf(const std::optional<ExecutionStatistics> &statistics) {
  Cost cost;
  if (!statistics)
    return cost;
  cost.preemptions = statistics->preemptions;
  cost.stale_reads = statistics->stale_reads;
  cost.operations = statistics->operations;
  cost.known = true;
  return cost;
}

Sighting Recording::Run(const Options &options, const Observation &wanted) {
  const Execution execution = fresh_.Run(options);
  Sighting sighting;
  sighting.interrupted = execution.ended.how == Ended::How::kInterrupted;
  sighting.errors = execution.ended.errors;
  sighting.cost = CostOf(execution.statistics);
  const std::vector<Observation> all = ReadOutcome(execution.ended, report_code_);
  for (const Observation &one : all)
    sighting.whole &= one.kind != Kind::kRefused;
  if (const Observation *same = FindSame(all, wanted)) {
    sighting.same = true;
    sighting.observation = *same;
    // What failed may be on standard output.
    if (same->kind == Kind::kExit)
      sighting.errors = execution.ended.output + execution.ended.errors;
  }
  return sighting;
}

Sighting Recording::Record(const Options &options, const Observation &wanted,
                           const std::string &demo) {
  RemoveTree(demo);
  Options all = options;
  return Run(all.Set("record_demo", demo), wanted);
}

Sighting Recording::Play(const std::string &demo, const Options &options,
                         const Observation &wanted) {
  // The schedule's flags are the recording's.
  Options all = options;
  all.Remove("schedule").Remove("seed").Remove("record_demo").Set("play_demo", demo);
  all.Set("play_demo_mb", "0"); // it is our own
  Sighting sighting = Run(all, wanted);
  // Of what never ends it is the same if it comes to where the recording was cut off. One that is
  // still on its way there when its time is over is, too: it takes as long as the recording did.
  if (!Ends(wanted.kind) &&
      sighting.errors.find("The demo " + demo + " ends here") != std::string::npos) {
    sighting.same = true;
    sighting.observation = wanted;
  }
  return sighting;
}

} // namespace heddle::hunt
