// Findings on disk: a directory each, with
//
//   finding.json   what it is, what was run, how it is repeated, how it was shrunk
//   report.txt     what the program printed
//   demo/          the execution, recorded, if that could be done
//   repeat.sh      repeats it
//   MARK           that this user has written it (mark.h)
//
// findings_store.h puts them there.
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

// What is in the directory of a finding.
constexpr char kFindingJson[] = "/finding.json", kFindingReport[] = "/report.txt",
               kFindingDemo[] = "/demo", kFindingRepeat[] = "/repeat.sh";

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
  unsigned recordings = 0; // that were tried, and not cut off by the end of the hunt
  bool repeated = false;   // the same seed showed it again
  unsigned replays = 0, replays_same = 0;
  Cost found, shrunk; // of the execution that was found, and of the one that is stored
  uint64_t shrink_runs = 0;
  std::string report;
  bool has_demo = false;
  uint64_t of_all_hunts = 0; // executions that showed it, with those of earlier hunts
  bool own = true;           // this user's: one that is loaded has a good mark (mark.h)

  // Replays of the demo showed it again, each time. What never ends has none.
  bool Confirmed() const { return replays ? replays_same == replays : repeated; }
};

// Reads and checks `directory`/finding.json. Throws Failure if it is damaged.
Finding LoadFinding(const std::string &directory);
bool IsFinding(const std::string &directory);
// Throws Failure if it is a symbolic link: in a directory of findings, that may lead anywhere.
void CheckNoLink(const std::string &directory);

std::string ToJson(const Finding &finding);
// `where` is for messages.
Finding FromJson(const std::string &text, const std::string &where);

// What two findings have in common that are one. A key without a place, as an exit code or a hang,
// says nothing by itself: then the program and its arguments are part of it.
std::string IdentityOf(const Finding &finding);

// Whether `a` is the better one to keep of two that are one: with a demo, replayed each time, the
// user's own (of another, one only has its word for what it says of itself), then simpler, then by
// seed and name of the program, so that the order of directories does not matter.
bool IsBetter(const Finding &a, const Finding &b);

// A line of a shell that repeats it. The finding need not be on disk.
std::string RepeatLine(const Finding &finding);

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_FINDINGS_H
