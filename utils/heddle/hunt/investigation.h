// What is done with something new: it goes to disk as it is, then it is recorded, shrunk, played,
// and stored again with what came of that. Whatever stops a hunt in between, it is there.
#ifndef HEDDLE_HUNT_INVESTIGATION_H
#define HEDDLE_HUNT_INVESTIGATION_H

#include "catalog.h"
#include "findings_store.h"
#include "recording.h"
#include "settings.h"
#include "stop_switch.h"

#include <functional>
#include <memory>
#include <string>

namespace heddle::hunt {

// Of the execution that showed it.
struct Origin {
  uint64_t number = 0, seed = 0;
  std::string arm;
  Options options;  // all flags but those that Base adds
  std::string demo; // the execution, if it was recorded
  Execution execution;
};

class Investigation {
public:
  using Tell = std::function<void(const Finding &finding, const std::string &what)>;

  // Gives an executor for many executions with these options, or ones that a server can change.
  using Shrinking = std::function<std::unique_ptr<Executor>(const Options &options)>;

  // `fresh` runs processes of their own, until the command itself is to stop.
  Investigation(const HuntSettings &settings, const Program &program,
                const Environment &environment, FindingsStore &store, Catalog &catalog,
                Executor &fresh, Shrinking shrinking, Tell tell);

  // Throws Failure if it cannot be stored. Returns whether it is a finding of its own.
  bool Look(const Observation &observation, const Origin &origin);

private:
  bool LookInto(const Observation &observation, const Origin &origin, Finding *new_finding);
  Finding Describe(const Observation &observation, const Origin &origin) const;
  Options Symbolized(const Options &options) const;
  // Leaves a demo that shows it in `demo`, and what it shows in `finding`.
  bool Record(const Observation &observation, const Origin &origin, const std::string &demo,
              Finding *finding);
  // Likewise, of a simpler execution; false if none was found.
  bool Shrink(const Observation &observation, const Origin &origin, const std::string &demo,
              Finding *finding);
  void Replay(const std::string &demo, const Observation &wanted, Finding *finding);
  // Likewise, of a demo that has no more of the environment than its replay needs.
  void TrimAndReplay(const std::string &demo, const Observation &wanted, Finding *finding);

  const HuntSettings &settings_;
  const Program &program_;
  const Environment &environment_;
  FindingsStore &store_;
  Catalog &catalog_;
  Recording recording_;
  Shrinking shrinking_;
  Tell tell_;
};

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_INVESTIGATION_H
