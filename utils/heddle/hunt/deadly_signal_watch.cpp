#include "deadly_signal_watch.h"

#include "deadly_signal.h"
#include "executor.h"
#include "process_status.h"

#include <algorithm>
#include <set>
#include <string>

#include <sys/stat.h>

namespace heddle::hunt {
namespace {

off_t SizeOf(int file) {
  struct stat status;
  return fstat(file, &status) ? 0 : status.st_size;
}

enum class Crashed { kNobody, kMakesProgress, kIsStuck };

// What has become of the processes that have reported a deadly signal. One that has ended leaves
// its parent to go on; one of another execution, whose report the program may print, is not in the
// group.
Crashed WhatCrashed(std::string_view errors, pid_t group) {
  Crashed crashed = EndsInDeadlySignal(errors) ? Crashed::kIsStuck : Crashed::kNobody;
  std::set<pid_t> processes;
  for (const DeadlySignal &signal : DeadlySignalsIn(errors))
    processes.insert(signal.process);
  for (const pid_t process : processes) {
    const auto status = StatusOf("/proc/" + std::to_string(process));
    if (!status || status->HasEnded() || status->group != group)
      continue;
    const std::vector<pid_t> children = ChildrenOf(process);
    if (!std::all_of(children.begin(), children.end(), Sleeps))
      return Crashed::kMakesProgress;
    crashed = Crashed::kIsStuck;
  }
  return crashed;
}

} // namespace

bool DeadlySignalWatch::IsStuck(pid_t group, double now) {
  const off_t printed[2] = {SizeOf(output_), SizeOf(errors_)};
  if (!std::equal(printed, printed + 2, printed_)) {
    std::copy(printed, printed + 2, printed_);
    since_ = now;
    known_ = false;
    return false;
  }
  // What was printed is read once, when nothing more comes: it may be much.
  if (known_ || now - since_ < kGrace)
    return false;
  const Crashed crashed = WhatCrashed(ReadOutput(errors_), group);
  known_ = crashed == Crashed::kNobody;
  since_ = now;
  return crashed == Crashed::kIsStuck;
}

} // namespace heddle::hunt
