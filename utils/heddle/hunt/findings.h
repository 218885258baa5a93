// Findings on disk: a directory each, with
//
//   finding.json   what it is, what was run, how it is repeated, how it was shrunk
//   report.txt     what the program printed
//   demo/          the execution, recorded, if that could be done
//   repeat.sh      repeats it
//
// One is written under a name that begins with a dot, and renamed when it is on disk: whatever
// happens, those that are there are whole.
#ifndef HEDDLE_HUNT_FINDINGS_H
#define HEDDLE_HUNT_FINDINGS_H

#include "options.h"
#include "outcome.h"
#include "program.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heddle::hunt {

// How far an execution is from one that a person would think of first.
struct Cost {
  uint64_t preemptions = 0, stale_reads = 0, operations = 0;
  bool known = false;

  uint64_t Total() const { return preemptions + stale_reads; }
};

struct Finding {
  std::string name;
  Kind kind = Kind::kExit;
  std::string what, place, key, raw_key;
  Program program;
  std::map<std::string, std::string> environment; // what was set besides the user's
  Options options;                                // all flags, with the seed
  uint64_t seed = 0;
  uint64_t first = 0;      // the number of the execution that showed it first
  uint64_t executions = 1; // how many showed it
  bool repeated = false;   // the same seed showed it again
  unsigned replays = 0, replays_same = 0;
  Cost found, shrunk; // of the execution that was found, and of the one that is stored
  uint64_t shrink_runs = 0;
  std::string report;

  // Replays of the demo showed it again, each time. What never ends has none.
  bool Confirmed() const { return replays ? replays_same == replays : repeated; }
};

// Reads and checks `directory`/finding.json. Throws Failure if it is damaged.
Finding LoadFinding(const std::string &directory);
bool IsFinding(const std::string &directory);

std::string ToJson(const Finding &finding);
// `where` is for messages.
Finding FromJson(const std::string &text, const std::string &where);

// The directory of a hunt's findings.
class FindingsStore {
public:
  // Makes it, and tries to write to it: throws Failure if that fails.
  explicit FindingsStore(const std::string &directory);

  const std::string &Directory() const { return directory_; }
  std::string PathOf(const std::string &name) const { return directory_ + "/" + name; }

  // Those that are there already; of damaged ones a line in `complaints`.
  std::vector<Finding> Load(std::vector<std::string> *complaints) const;

  // Replaces one of the same name. `demo` is a directory that is copied, or nothing. Throws
  // Failure, and what was there before is still there.
  void Save(const Finding &finding, const std::string &demo);
  // Only finding.json, of one that is there.
  void Update(const Finding &finding);

private:
  void KeepUnreadable(const std::string &name) const;

  std::string directory_;
};

// A line of a shell that repeats it. The finding need not be on disk.
std::string RepeatLine(const Finding &finding);

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_FINDINGS_H
