// The program that is tested, and its environment.
#ifndef HEDDLE_HUNT_PROGRAM_H
#define HEDDLE_HUNT_PROGRAM_H

#include "options.h"

#include <map>
#include <string>
#include <vector>

namespace heddle::hunt {

struct Program {
  std::string path;                   // absolute
  std::vector<std::string> arguments; // as they were typed, the program's name first
  std::string directory;              // where it runs
};

// Looks the first word up as a shell does. Throws Failure if there is no such program, it cannot
// be executed, or it has not our runtime.
Program FindProgram(const std::vector<std::string> &command);

// A script or a shared library may bring any runtime, or none: throws Failure if an execution that
// has said nothing was one of these.
void CheckThatOursRan(const Program &program);

// The environment as "NAME=value", without TSAN_OPTIONS, with a symbolizer for the runtime if there
// is one and none is named.
class Environment {
public:
  Environment(); // ours
  explicit Environment(char **variables);

  void Set(const std::string &name, const std::string &value) { variables_[name] = value; }
  void Remove(const std::string &name) { variables_.erase(name); }
  const std::map<std::string, std::string> &Variables() const { return variables_; }
  // What TSAN_OPTIONS was.
  const Options &UserOptions() const { return user_options_; }
  // With TSAN_OPTIONS.
  std::vector<std::string> With(const Options &options) const;

private:
  std::map<std::string, std::string> variables_;
  Options user_options_;
};

// Looked for on the PATH, then where Debian puts LLVM; nothing if there is none.
std::string FindTool(const std::vector<std::string> &names);
std::string FindSymbolizer();

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_PROGRAM_H
