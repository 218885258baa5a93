// Starts a process, and waits for it.
#ifndef HEDDLE_HUNT_SPAWN_H
#define HEDDLE_HUNT_SPAWN_H

#include "outcome.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace heddle::hunt {

struct SpawnPlan {
  std::string path;
  std::vector<std::string> arguments;      // the program's name first
  std::vector<std::string> environment;    // "NAME=value"
  std::string directory;                   // nothing: where we are
  int in = -1, out = -1, err = -1;         // -1: ours
  std::vector<std::pair<int, int>> others; // what is to be kept open: our number, its number
  // In a process group of its own, so that a Ctrl-C is ours alone, and what it starts can be ended
  // with it. It does not outlive the thread that started it.
  bool apart = true;
};

// Throws Failure if the program cannot be started.
pid_t Spawn(const SpawnPlan &plan);

// Undoes what the command has set for itself, which programs that it becomes would inherit.
void DefaultSignals();

struct WaitLimits {
  double seconds = 0; // 0: none
  int stop = -1;      // a descriptor that is readable when we are to stop
  // Called several times a second. If it returns true, the time is over.
  std::function<bool()> meanwhile;
};

// Waits for the end of a process started with `apart`; ends it, with all its group, when the time
// is over. Output is not filled in.
Ended Await(pid_t process, const WaitLimits &limits);

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_SPAWN_H
