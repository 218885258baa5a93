#include "process_status.h"

#include "failure.h"
#include "files.h"

#include <sstream>

#include <unistd.h>

namespace heddle::hunt {
namespace {

// Nothing if it is not there, as when the process has ended meanwhile.
std::string ReadIfThere(const std::string &path) {
  try {
    return ReadFile(path);
  } catch (const Failure &) {
    return "";
  }
}

std::string TasksOf(pid_t process) { return "/proc/" + std::to_string(process) + "/task"; }

bool SleepsNow(pid_t process) {
  const std::string tasks = TasksOf(process);
  for (const std::string &task : NamesIn(tasks)) {
    const std::optional<ProcessStatus> status = StatusOf(tasks + "/" + task);
    if (status && status->IsAtWork())
      return false;
  }
  return true;
}

} // namespace

std::optional<ProcessStatus> StatusOf(const std::string &directory) {
  const std::string text = ReadIfThere(directory + "/stat");
  const size_t name_end = text.rfind(") "); // the name may have anything in it
  if (name_end == text.npos)
    return std::nullopt;
  ProcessStatus status;
  pid_t parent;
  std::istringstream rest(text.substr(name_end + 2));
  rest >> status.state >> parent >> status.group;
  return rest ? std::optional(status) : std::nullopt;
}

std::vector<pid_t> ChildrenOf(pid_t process) {
  std::vector<pid_t> children;
  const std::string tasks = TasksOf(process);
  for (const std::string &task : NamesIn(tasks)) {
    std::istringstream numbers(ReadIfThere(tasks + "/" + task + "/children"));
    for (pid_t child; numbers >> child;)
      children.push_back(child);
  }
  return children;
}

bool Sleeps(pid_t process) {
  // Also a process that waits has a thread now and then that looks whether to go on.
  constexpr int kLooks = 9;
  int asleep = 0;
  for (int i = 0; i < kLooks; i++) {
    asleep += SleepsNow(process);
    usleep(10000);
  }
  return asleep * 2 > kLooks;
}

} // namespace heddle::hunt
