#include "program.h"

#include "elf.h"
#include "failure.h"
#include "files.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

namespace heddle::hunt {
namespace {

constexpr char kOptions[] = "TSAN_OPTIONS", kSymbolizer[] = "TSAN_SYMBOLIZER_PATH";

bool IsProgram(const std::string &path) {
  struct stat status;
  return !stat(path.c_str(), &status) && S_ISREG(status.st_mode) && !access(path.c_str(), X_OK);
}

std::string LookUp(const std::string &name, const std::string &places) {
  std::istringstream all(places);
  for (std::string place; std::getline(all, place, ':');) {
    const std::string path = (place.empty() ? "." : place) + "/" + name;
    if (IsProgram(path))
      return path;
  }
  return "";
}

std::string Path() {
  const char *path = getenv("PATH");
  return path ? path : "/usr/local/bin:/usr/bin:/bin";
}

// Why a name with a slash is no program.
[[noreturn]] void Refuse(const std::string &path) {
  struct stat status;
  if (stat(path.c_str(), &status))
    throw Failure("cannot find the program " + path + ": " + strerror(errno) +
                  ". Check its name, and build it first.");
  if (S_ISDIR(status.st_mode))
    throw Failure(path + " is a directory. Name the program in it.");
  throw Failure(path + " is not executable. If it is a program: chmod +x " + ShellQuote(path));
}

void CheckRuntime(const std::string &path) {
  const std::string rebuild = " Build it with heddle-clang or heddle-clang++ and "
                              "-fsanitize=thread, also where it is linked.";
  switch (RuntimeIn(path)) {
  case RuntimeKind::kHeddle:
  case RuntimeKind::kShared:
  case RuntimeKind::kScript:
    return;
  case RuntimeKind::kStock:
    throw Failure(path + " has ThreadSanitizer's own runtime, not Heddle's." + rebuild);
  case RuntimeKind::kNone:
    throw Failure(path + " has no runtime of ThreadSanitizer." + rebuild);
  case RuntimeKind::kForeign:
    throw Failure(path + " is a program for another machine." + rebuild);
  case RuntimeKind::kNoProgram:
    throw Failure(path + " is neither an ELF program nor a script." + rebuild);
  }
}

} // namespace

Program FindProgram(const std::vector<std::string> &command) {
  if (command.empty())
    throw Failure("no program is named. Add it, with its arguments, after the options.");
  const std::string &name = command[0];
  if (name.size() > 1 && name[0] == '-')
    throw Failure(
        "there is no option " + name +
        ". --help lists them; options of the program come "
        "after its name." +
        (IsProgram("./" + name) ? " To name the program of that name, write ./" + name : ""));
  Program program;
  program.arguments = command;
  program.directory = CurrentDirectory();
  if (name.find('/') != std::string::npos) {
    if (!IsProgram(name))
      Refuse(name);
    program.path = Absolute(name);
  } else {
    program.path = LookUp(name, Path());
    if (program.path.empty())
      throw Failure("cannot find the program " + name + " on the PATH." +
                    (IsProgram("./" + name) ? " It is in this directory: write ./" + name
                                            : " Check its name, and build it first."));
    program.path = Absolute(program.path);
  }
  CheckRuntime(program.path);
  return program;
}

void CheckThatOursRan(const Program &program) {
  if (RuntimeIn(program.path) != RuntimeKind::kHeddle)
    throw Failure(program.path + " ran, but no runtime of Heddle's ran in it. What it starts must "
                                 "be built with heddle-clang or heddle-clang++ and "
                                 "-fsanitize=thread.");
}

Environment::Environment() : Environment(environ) {}

Environment::Environment(char **variables) {
  for (; *variables; variables++) {
    const char *equals = strchr(*variables, '=');
    if (equals)
      variables_[std::string(*variables, size_t(equals - *variables))] = equals + 1;
  }
  user_options_ = Options(variables_[kOptions]);
  variables_.erase(kOptions);
  if (!variables_.count(kSymbolizer)) {
    const std::string symbolizer = FindSymbolizer();
    if (!symbolizer.empty())
      variables_[kSymbolizer] = symbolizer;
  }
}

std::vector<std::string> Environment::With(const Options &options) const {
  std::vector<std::string> all;
  for (const auto &[name, value] : variables_)
    all.push_back(name + "=" + value);
  all.push_back(std::string(kOptions) + "=" + options.Text());
  return all;
}

std::string FindTool(const std::vector<std::string> &names) {
  for (const std::string &name : names) {
    const std::string path = LookUp(name, Path());
    if (!path.empty())
      return path;
  }
  return "";
}

std::string FindSymbolizer() {
  const std::string found = FindTool({"llvm-symbolizer-19", "llvm-symbolizer"});
  return found.empty() && IsProgram("/usr/lib/llvm-19/bin/llvm-symbolizer")
             ? "/usr/lib/llvm-19/bin/llvm-symbolizer"
             : found;
}

} // namespace heddle::hunt
