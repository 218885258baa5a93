// How a finding or a demo is repeated: what is run, where, with which flags.
//
// Both come from anywhere. One without the user's mark (mark.h) is foreign: it decides neither what
// is run besides the program nor what is written, and trust.h asks before it is run at all.
#ifndef HEDDLE_HUNT_REPLAY_PLAN_H
#define HEDDLE_HUNT_REPLAY_PLAN_H

#include "plain_path.h"
#include "program.h"
#include "spawn.h"

#include <memory>
#include <string>
#include <vector>

namespace heddle::hunt {

struct ReplayPlan {
  Program program;
  Environment environment;
  Options options;
  std::shared_ptr<const PlainPath> demo; // that is played, as it stands in the options
  std::string place;                     // the directory of the finding or demo
  std::vector<std::string> recorded;     // "NAME=value", what the runtime takes from the demo
  bool foreign = true;

  SpawnPlan ToSpawn() const;
};

// `path` is the directory of a finding or of a demo; `program`, if it is not empty, is where the
// program is now. Throws Failure if there is no such thing, it is damaged, or the program is gone.
ReplayPlan PlanReplay(const std::string &path, const std::string &program);

// What of it can be shown without running anything. Throws Failure likewise.
struct StoredExecution {
  std::string command;   // the program and its arguments, as words of a shell
  std::string program;   // its path
  std::string build;     // of the program
  std::string execution; // as execution_file= has it; nothing if it is not there
};
StoredExecution ReadStoredExecution(const std::string &path);

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_REPLAY_PLAN_H
