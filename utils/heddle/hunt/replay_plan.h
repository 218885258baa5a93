// How a finding or a demo is repeated: what is run, where, with which flags.
#ifndef HEDDLE_HUNT_REPLAY_PLAN_H
#define HEDDLE_HUNT_REPLAY_PLAN_H

#include "plain_path.h"
#include "program.h"
#include "spawn.h"

#include <memory>
#include <string>

namespace heddle::hunt {

struct ReplayPlan {
  Program program;
  Environment environment;
  Options options;
  std::shared_ptr<const PlainPath> demo; // that is played, as it stands in the options

  SpawnPlan ToSpawn() const;
};

// `path` is the directory of a finding or of a demo; `program`, if it is not empty, is where the
// program is now. Throws Failure if there is no such thing, it is damaged, or the program is gone.
ReplayPlan PlanReplay(const std::string &path, const std::string &program);

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_REPLAY_PLAN_H
