#include "inline_fences.h"

#include "failure.h"
#include "files.h"
#include "program.h"
#include "spawn.h"

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle::hunt {
namespace {

bool StartsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

// "0000000000001130 <main>:".
std::string_view FunctionNamed(std::string_view line) {
  const size_t begin = line.find(" <");
  if (begin == line.npos || !std::isxdigit(static_cast<unsigned char>(line[0])) ||
      line.size() < begin + 4 || line.substr(line.size() - 2) != ">:")
    return "";
  return line.substr(begin + 2, line.size() - begin - 4);
}

const char *KindOf(std::string_view instruction) {
  if (StartsWith(instruction, "mfence"))
    return "mfence";
  if (StartsWith(instruction, "lock"))
    return "lock";
  if (StartsWith(instruction, "xchg") && instruction.find('(') != instruction.npos)
    return "xchg";
  return nullptr;
}

} // namespace

void InlineFenceScan::Line(std::string_view line) {
  if (line.empty())
    return;
  if (const std::string_view name = FunctionNamed(line); !name.empty()) {
    EndFunction();
    function_ = name;
    return;
  }
  if (line.find("<__tsan_func_entry") != line.npos) {
    instrumented_ = true;
    return;
  }
  // "  401136:\tmfence", or without the address.
  const size_t tab = line.find('\t');
  const size_t text = tab == line.npos ? tab : line.find_first_not_of(" \t", tab);
  if (text == line.npos)
    return;
  if (const char *kind = KindOf(line.substr(text)))
    kinds_[kind]++;
}

void InlineFenceScan::EndFunction() {
  if (instrumented_)
    for (const auto &[kind, count] : kinds_) {
      found_.functions[function_] += count;
      found_.kinds[kind] += count;
    }
  instrumented_ = false;
  kinds_.clear();
}

InlineFences InlineFenceScan::End() {
  EndFunction();
  return std::move(found_);
}

bool FindInlineFencesIn(const std::string &path, InlineFences *fences) {
  SpawnPlan plan;
  plan.path = FindTool({"llvm-objdump-19", "llvm-objdump", "objdump"});
  if (plan.path.empty())
    return false;
  plan.arguments = {plan.path, "-d", "--demangle", "--no-show-raw-insn", path};
  for (char **variable = environ; *variable; variable++)
    plan.environment.push_back(*variable);
  Pipe output;
  const Descriptor nowhere(open("/dev/null", O_RDWR | O_CLOEXEC));
  plan.in = plan.err = nowhere.Get();
  plan.out = output.to.Get();
  const pid_t process = Spawn(plan);
  output.to.Close();
  InlineFenceScan scan;
  if (FILE *lines = fdopen(output.from.Release(), "r")) {
    char *line = nullptr;
    size_t room = 0;
    for (ssize_t length; (length = getline(&line, &room, lines)) > 0;)
      scan.Line(std::string_view(line, size_t(length) - (line[length - 1] == '\n')));
    free(line);
    fclose(lines);
  }
  int status = 0;
  waitpid(process, &status, 0);
  *fences = scan.End();
  return status == 0;
}

std::string Names(const std::map<std::string, unsigned> &counts, unsigned most) {
  std::string text;
  unsigned printed = 0;
  for (const auto &[name, count] : counts) {
    if (printed == most)
      return text + " and " + std::to_string(counts.size() - most) + " more";
    text += (printed++ ? ", " : "") + name;
  }
  return text;
}

} // namespace heddle::hunt
