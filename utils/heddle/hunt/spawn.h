// Starts a process, and waits for it.
#ifndef HEDDLE_HUNT_SPAWN_H
#define HEDDLE_HUNT_SPAWN_H

#include "failure.h"
#include "files.h"
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
  // with it. It does not outlive the thread or the process that started it.
  bool apart = true;
};

// Both ends of a pipe, which programs do not inherit. Throws Failure.
struct Pipe {
  Pipe();
  Descriptor from, to;
};

// What a forked child needs to become the program. It is made before the fork: a child of a process
// with threads may call nothing but the system, since others may have held locks.
class ProgramStart {
public:
  explicit ProgramStart(const SpawnPlan &plan);

  // In the child of `parent`. What it fails with is written to `report`, the end of a pipe.
  [[noreturn]] void Become(pid_t parent, int report) const;
  // In whoever has the other end, and no other: waits until it is the program. 0, or an error.
  static int Failed(int report);

private:
  const SpawnPlan &plan_;
  std::vector<char *> arguments_, environment_;
};
Failure NoProcess(int error);
Failure CannotStart(const std::string &path, int error);

// Throws Failure if the program cannot be started.
pid_t Spawn(const SpawnPlan &plan);

// Undoes what the command has set for itself, which programs that it becomes would inherit.
void DefaultSignals();

// For a child that stays what it is: locks and sockets of the command are not its own.
void CloseAllBut(int one, int other);

struct WaitLimits {
  double seconds = 0; // 0: none
  int stop = -1;      // a descriptor that is readable when we are to stop
  // Called several times a second. If it returns true, the time is over.
  std::function<bool()> meanwhile;
};

// Waits for the end of a process started with `apart`; ends it, with all its group, when the time
// is over. Output is not filled in.
Ended Await(pid_t process, const WaitLimits &limits);
// kExited when the descriptor is readable.
Ended::How AwaitReadable(int descriptor, const WaitLimits &limits);
// From what waitpid says.
void SetStatus(int status, Ended *ended);

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_SPAWN_H
