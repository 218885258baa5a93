#include "investigation.h"

#include "demo_info.h"
#include "demo_parts.h"
#include "failure.h"
#include "files.h"
#include "needed_environment.h"
#include "shrink.h"

#include <algorithm>

namespace heddle::hunt {
namespace {

constexpr int kAttempts = 3; // to record it: races that are not ordered may need more than one

// What `heddle show` shows is stored up to so many operations, of about 200 bytes each.
constexpr uint64_t kMostShown = 50'000;

void Describe(const Observation &observation, Finding *finding) {
  finding->kind = observation.kind;
  finding->what = observation.what;
  finding->place = observation.place;
  finding->key = observation.key;
  finding->raw_key = observation.raw_key;
  finding->name = FindingName(observation);
}

} // namespace

Investigation::Investigation(const HuntSettings &settings, const Program &program,
                             const Environment &environment, FindingsStore &store, Catalog &catalog,
                             Executor &fresh, Shrinking shrinking, Tell tell)
    : settings_(settings), program_(program), environment_(environment), store_(store),
      catalog_(catalog), recording_(fresh, settings.ReportCode()), shrinking_(std::move(shrinking)),
      tell_(std::move(tell)) {}

Finding Investigation::Describe(const Observation &observation, const Origin &origin) const {
  Finding finding;
  hunt::Describe(observation, &finding);
  finding.program = program_;
  const auto &variables = environment_.Variables();
  const auto symbolizer = variables.find("TSAN_SYMBOLIZER_PATH");
  if (symbolizer != variables.end())
    finding.environment.insert(*symbolizer);
  finding.options = origin.options;
  finding.seed = origin.seed;
  finding.first = origin.number;
  finding.found = finding.shrunk = CostOf(origin.execution.statistics);
  finding.report = observation.kind == Kind::kExit
                       ? origin.execution.ended.output + origin.execution.ended.errors
                       : origin.execution.ended.errors;
  return finding;
}

Options Investigation::Symbolized(const Options &options) const {
  Options all = settings_.Base();
  if (!settings_.users.Has("symbolize"))
    all.Remove("symbolize");
  return all.Add(options);
}

bool Investigation::Record(const Observation &observation, const Origin &origin,
                           const std::string &demo, Finding *finding) {
  for (int attempt = 0; attempt < kAttempts; attempt++) {
    const bool recorded = !origin.demo.empty(); // by the execution that showed it
    Options options = Symbolized(origin.options);
    // The replay says more, if there is one.
    if (!Ends(observation.kind) && !options.Has("report_waiting_after"))
      options.Set("report_waiting_after", unsigned(settings_.timeout / 2));
    const Sighting sighting = recorded ? recording_.Play(origin.demo, options, observation)
                                       : recording_.Record(options, observation, demo);
    if (sighting.interrupted)
      return false;
    finding->recordings++;
    if (!sighting.same)
      continue;
    hunt::Describe(sighting.observation, finding);
    finding->repeated = true;
    finding->report = sighting.errors;
    if (sighting.cost.known && !recorded)
      finding->shrunk = sighting.cost;
    return true;
  }
  return false;
}

bool Investigation::Shrink(const Observation &observation, const Origin &origin,
                           const std::string &demo, Finding *finding) {
  if (!settings_.shrink_runs || !finding->shrunk.known || !finding->shrunk.Total())
    return false;
  Options base = settings_.Base();
  const std::string engine = origin.options.Get("weak_memory");
  Options first = base;
  first.Add(origin.options);
  const std::unique_ptr<Executor> executor = shrinking_(first);
  ShrinkBudget budget;
  budget.runs = settings_.shrink_runs;
  const ShrinkOutcome simpler =
      hunt::Shrink(*executor, base, settings_.more, engine.empty() ? "off" : engine, observation,
                   finding->shrunk, settings_.ReportCode(), budget);
  finding->shrink_runs = simpler.runs;
  if (!simpler.simpler)
    return false;
  Origin shrunk = origin;
  shrunk.demo.clear();
  shrunk.options = settings_.users;
  shrunk.options.Set("one_at_a_time", "1").Add(simpler.options).Add(settings_.more);
  Finding recorded = *finding;
  if (!Record(observation, shrunk, demo, &recorded) || recorded.key != finding->key ||
      recorded.shrunk.Total() >= finding->shrunk.Total())
    return false;
  *finding = recorded;
  finding->options = shrunk.options;
  finding->seed = simpler.seed;
  return true;
}

void Investigation::Replay(const std::string &demo, const Observation &wanted, Finding *finding) {
  // A replay of what never ends takes as long as it was given.
  const unsigned replays = Ends(wanted.kind) ? settings_.replays : std::min(1u, settings_.replays);
  for (unsigned i = 0; i < replays; i++) {
    Options options = Symbolized({});
    if (i == 0 && finding->shrunk.known && finding->shrunk.operations <= kMostShown)
      options.Set("execution_file", ExecutionOf(demo));
    const Sighting sighting = recording_.Play(demo, options, wanted);
    if (sighting.interrupted)
      return;
    finding->replays++;
    finding->replays_same += sighting.same;
    // What was killed has said nothing; its replay says where it was.
    if (!Ends(wanted.kind) && sighting.same)
      finding->report = sighting.errors;
  }
}

void Investigation::TrimAndReplay(const std::string &demo, const Observation &wanted,
                                  Finding *finding) {
  // Each attempt takes a replay, and one of what never ends as long as it was given.
  if (!settings_.replays || !Ends(wanted.kind))
    return Replay(demo, wanted, finding);
  const MetaFiles recorded = ReadMetaFiles(demo);
  const Finding before = *finding;
  KeepNeededEnvironment(demo, [&] {
    const Sighting sighting = recording_.Play(demo, Symbolized({}), wanted);
    return sighting.same && sighting.whole;
  });
  Replay(demo, wanted, finding);
  if (finding->replays_same == finding->replays)
    return;
  // One that fails now and then may have needed what it had.
  WriteMetaFiles(demo, recorded);
  *finding = before;
  Replay(demo, wanted, finding);
}

bool Investigation::Look(const Observation &observation, const Origin &origin) {
  Finding finding = Describe(observation, origin);
  try {
    return LookInto(observation, origin, &finding);
  } catch (const Failure &failure) {
    catalog_.Add(finding, observation.raw_key);
    throw Failure(std::string(failure.what()) + ". Not all of this finding could be stored: " +
                  finding.what + (finding.place.empty() ? "" : " at " + finding.place) +
                  ". To repeat it:\n  " + RepeatLine(finding) + "\nAll found before it is in " +
                  store_.Directory() + ". Free some space, and hunt again.");
  }
}

bool Investigation::LookInto(const Observation &observation, const Origin &origin,
                             Finding *new_finding) {
  Finding &finding = *new_finding;
  const Finding first = finding;
  store_.Put(first, "", Replaces::kNothing);
  TemporaryDirectory place(store_.PlainDirectory());
  const std::string demo = origin.demo.empty() ? place.Path() + "/demo" : origin.demo;
  const bool shown = Record(observation, origin, demo, &finding);
  // With symbols it may be one that is known, and then another worker looks into it.
  if (!catalog_.Add(finding, observation.raw_key)) {
    store_.Fold(first, finding);
    return false;
  }
  // What an earlier hunt has stored is replaced only when all is known about this one.
  finding.name = store_.Put(finding, shown ? demo : "", Replaces::kOwn).name;
  store_.Fold(first, finding);
  tell_(finding, "execution " + std::to_string(origin.number) + ", " + origin.arm + ", seed " +
                     std::to_string(origin.seed));
  if (shown) {
    const std::string simpler = place.Path() + "/simpler";
    // Each attempt to shrink what never ends would take as long as it was given.
    const bool shrunk = Ends(finding.kind) && Shrink(observation, origin, simpler, &finding);
    const std::string &best = shrunk ? simpler : demo;
    Observation wanted = observation;
    wanted.key = finding.key;
    TrimAndReplay(best, wanted, &finding);
    store_.Put(finding, best, Replaces::kOlderBuild);
  }
  catalog_.Replace(finding);
  return true;
}

} // namespace heddle::hunt
