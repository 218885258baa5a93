// A program that is run with all that it leaves behind.
//
// What a program starts may outlive it, and a daemon leaves its process group and its session, so
// that nobody knows whose it was. So there is a process of ours between the hunt and the program,
// the reaper: it becomes the parent of all that loses its own parent below it, and of nothing else,
// whatever other executions do at the same time. When the program has ended, or the hunt has, in
// whatever way, the reaper ends the rest and tells how the program ended.
#ifndef HEDDLE_HUNT_REAPED_PROCESS_H
#define HEDDLE_HUNT_REAPED_PROCESS_H

#include "files.h"
#include "left_behind.h"
#include "spawn.h"

#include <sys/types.h>

namespace heddle::hunt {

class ReapedProcess {
public:
  enum class Lasts {
    kAsLongAsTheProgram,
    kUntilReleased // one that goes into the background may still be asked for something
  };

  // The plan is one for a process apart. What is left behind is added to `left`, if there is one.
  // Throws Failure if the program cannot be started.
  ReapedProcess(const SpawnPlan &plan, Lasts lasts, LeftBehind *left);
  ~ReapedProcess() { End(); }
  ReapedProcess(const ReapedProcess &) = delete;
  ReapedProcess &operator=(const ReapedProcess &) = delete;

  // The program's, which is that of its group.
  pid_t Process() const { return program_; }

  // As the function of this name in spawn.h.
  Ended Await(const WaitLimits &limits);

private:
  // Ends all that is left of it. Returns the program's status.
  int End();

  pid_t program_ = 0, reaper_ = 0;
  Descriptor leash_; // closed, also by our end: the reaper ends the program
  Descriptor word_;  // the reaper's last
  LeftBehind *left_;
};

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_REAPED_PROCESS_H
