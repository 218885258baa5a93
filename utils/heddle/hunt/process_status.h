// What /proc says about processes.
#ifndef HEDDLE_HUNT_PROCESS_STATUS_H
#define HEDDLE_HUNT_PROCESS_STATUS_H

#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace heddle::hunt {

struct ProcessStatus {
  char state =
      0; // 'R': runs or could, 'D': waits for a disk, 'Z': has ended, 'S' and others: waits
  pid_t group = 0;

  // A disk that lets somebody wait is at work, and the program goes on sooner or later.
  bool IsAtWork() const { return state == 'R' || state == 'D'; }
  bool HasEnded() const { return state == 'Z' || state == 'X'; }
};

// Of a process, "/proc/7", or of a thread, "/proc/7/task/8". Nothing if it is gone.
std::optional<ProcessStatus> StatusOf(const std::string &directory);

std::vector<pid_t> ChildrenOf(pid_t process);

// Whether all threads of a process sleep, for the most part of a tenth of a second.
bool Sleeps(pid_t process);

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_PROCESS_STATUS_H
