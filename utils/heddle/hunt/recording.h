// Whether what an execution showed can be shown again: it is recorded with the same seed, in a
// process of its own, and the recording is played.
#ifndef HEDDLE_HUNT_RECORDING_H
#define HEDDLE_HUNT_RECORDING_H

#include "executor.h"
#include "findings.h"

#include <string>

namespace heddle::hunt {

// The same thing, seen once more.
struct Sighting {
  bool same = false;
  bool whole = true;        // the runtime has not refused to go on, as when a replay is another run
  bool interrupted = false; // the command is to stop
  Observation observation;
  std::string errors; // all that was printed
  Cost cost;
};

Cost CostOf(const std::optional<ExecutionStatistics> &statistics);

class Recording {
public:
  // `fresh` runs processes of their own. `report_code` as with ReadOutcome.
  Recording(Executor &fresh, int report_code) : fresh_(fresh), report_code_(report_code) {}

  // Runs with these options, and looks for `wanted`.
  Sighting Run(const Options &options, const Observation &wanted);
  // Likewise, and leaves the execution in `demo`, which must not be there yet.
  Sighting Record(const Options &options, const Observation &wanted, const std::string &demo);
  Sighting Play(const std::string &demo, const Options &options, const Observation &wanted);

private:
  Executor &fresh_;
  int report_code_;
};

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_RECORDING_H
