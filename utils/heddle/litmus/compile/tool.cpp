#include "tool.h"

#include "../../hunt/failure.h"
#include "../../hunt/files.h"
#include "../../hunt/spawn.h"

#include <cstdlib>
#include <cstring>
#include <sstream>

#include <fcntl.h>
#include <unistd.h>

namespace heddle::litmus::compile {
namespace {

using hunt::Ended;

bool IsProgram(const std::string &path) {
  return access(path.c_str(), X_OK) == 0 && !hunt::IsDirectory(path);
}

std::vector<std::string> Environment() {
  std::vector<std::string> words;
  for (char **word = environ; *word; word++)
    words.push_back(*word);
  return words;
}

// A compiler's first complaint is the one that matters; a thousand of them are not read.
std::string Beginning(const std::string &text) {
  constexpr size_t kLines = 12;
  std::istringstream lines(text);
  std::string beginning;
  size_t count = 0;
  for (std::string line; std::getline(lines, line); count++)
    if (count < kLines)
      beginning += "\n    " + line;
  if (count > kLines)
    beginning += "\n    ... and " + std::to_string(count - kLines) + " more lines";
  return beginning;
}

std::string HowItEnded(const Ended &ended, double limit) {
  switch (ended.how) {
  case Ended::How::kExited:
    return "exit code " + std::to_string(ended.code);
  case Ended::How::kSignalled:
    return "killed by signal " + std::to_string(ended.code) + " (" + strsignal(ended.code) + ")";
  case Ended::How::kTimedOut: {
    std::ostringstream text;
    text << "not done after " << limit << " seconds; raise --timeout if it only is slow";
    return text.str();
  }
  case Ended::How::kInterrupted:
    return "interrupted";
  }
  return "";
}

} // namespace

std::string FindTool(const std::string &command) {
  if (command.find('/') != command.npos)
    return IsProgram(command) ? command : "";
  const char *path = getenv("PATH");
  std::istringstream directories(path ? path : "/usr/bin:/bin");
  for (std::string directory; std::getline(directories, directory, ':');)
    if (std::string file = (directory.empty() ? "." : directory) + "/" + command; IsProgram(file))
      return file;
  return "";
}

std::string RunTool(const std::vector<std::string> &words, double seconds) {
  const std::string path = FindTool(words[0]);
  if (path.empty())
    throw ToolError(words[0] + " is not there");
  try {
    hunt::Descriptor nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
    hunt::Descriptor output = hunt::MemoryFile("output"), errors = hunt::MemoryFile("errors");
    hunt::SpawnPlan plan;
    plan.path = path;
    plan.arguments = words;
    plan.environment = Environment();
    plan.in = nothing.Get();
    plan.out = output.Get();
    plan.err = errors.Get();
    hunt::WaitLimits limits;
    limits.seconds = seconds;
    const Ended ended = hunt::Await(hunt::Spawn(plan), limits);
    if (ended.how != Ended::How::kExited || ended.code != 0)
      throw ToolError(hunt::ShellJoin(words) + ": " + HowItEnded(ended, seconds) +
                      Beginning(hunt::ReadAll(errors.Get())));
    return hunt::ReadAll(output.Get());
  } catch (const hunt::Failure &failure) {
    throw ToolError(failure.what());
  }
}

} // namespace heddle::litmus::compile
