#include "litmus_assembly.h"

#include "litmus/hardware/assembly_litmus.h"
#include "litmus/hardware/herd.h"
#include "litmus/printer.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <sys/wait.h>

namespace heddle {
namespace {

using namespace litmus;
using namespace litmus::hardware;

struct Loaded {
  std::string text;
  AssemblyTest test;
};

Loaded Load(const std::string &file) {
  Loaded loaded;
  ParseError error;
  if (!ReadFile(file, &loaded.text, &error) ||
      !ParseAssembly(loaded.text, file, &loaded.test, &error))
    throw std::runtime_error(error.ToString());
  return loaded;
}

HardwareProgram Execute(const std::string &file, const AssemblyTest &test) {
  try {
    return MakeHardwareProgram(test);
  } catch (const UnknownInstruction &error) {
    // "LINE:COLUMN: ..." or a message alone.
    bool placed = std::isdigit(static_cast<unsigned char>(error.what()[0]));
    throw std::runtime_error(file + (placed ? ":" : ": ") + error.what());
  } catch (const std::runtime_error &error) {
    throw std::runtime_error(file + ": " + error.what());
  }
}

std::string ShellQuote(const std::string &text) {
  std::string quoted = "'";
  for (char c : text)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// The standard output; the exit code goes to *code.
std::string RunShell(const std::string &command, int *code) {
  FILE *pipe = popen(command.c_str(), "r");
  if (!pipe)
    throw std::runtime_error("cannot start '" + command + "'");
  std::string output;
  char buffer[4096];
  while (size_t size = fread(buffer, 1, sizeof(buffer), pipe))
    output.append(buffer, size);
  int status = pclose(pipe);
  *code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return output;
}

} // namespace

bool IsAssemblyFile(const std::string &file) {
  std::string text;
  ParseError error;
  return ReadFile(file, &text, &error) && IsAssemblyTest(text);
}

std::string RunAssemblyFile(const std::string &file) {
  Loaded loaded = Load(file);
  auto start = std::chrono::steady_clock::now();
  HardwareProgram program = Execute(file, loaded.test);
  Outcome outcome = RunHardware(program, loaded.test.architecture, Counting::kExecutions);
  ApplyFilter(loaded.test.program, &outcome);
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  char line[64];
  snprintf(line, sizeof(line), " %.2f\n\n", time.count());
  return PrintResult(loaded.test.program, outcome, ModelName(program, loaded.test.architecture)) +
         "Time " + program.name + line;
}

std::string CheckAssemblyFile(const std::string &file, bool required) {
  Loaded loaded = Load(file);
  ParseError error;
  std::optional<AssemblyExpectation> expected = ParseAssemblyExpectation(loaded.text, file, &error);
  if (!expected)
    return required || error.line ? error.ToString() : "";
  const Program &program = loaded.test.program;
  Outcome outcome = RunHardware(Execute(file, loaded.test), loaded.test.architecture);
  ApplyFilter(program, &outcome);
  bool allowed = std::any_of(outcome.states.begin(), outcome.states.end(), [&](const auto &state) {
    return Holds(program.condition, program, state.first);
  });
  if (allowed != expected->allowed)
    return file + ": expected to be " + (expected->allowed ? "Allowed" : "Forbidden") +
           ", and it is not: " + PrintCondition(program);
  if (expected->states && *expected->states != outcome.states.size())
    return file + ": has " + std::to_string(outcome.states.size()) + " states, and not the " +
           std::to_string(*expected->states) + " that the file expects";
  return "";
}

void RequireHerd() {
  int code = 0;
  RunShell("command -v herd7", &code);
  if (code != 0)
    throw std::runtime_error("there is no herd7 on the PATH, which --herd compares with. It is "
                             "part of herdtools7: opam install herdtools7");
}

std::string CompareWithHerd(const std::string &file) {
  Loaded loaded = Load(file);
  int code = 0;
  std::string output = RunShell("herd7 " + ShellQuote(file), &code);
  std::optional<HerdStates> theirs = ParseHerdStates(output);
  if (code != 0 || !theirs)
    throw std::runtime_error("herd7 did not run " + file + ": it ended with code " +
                             std::to_string(code) +
                             (theirs ? "" : " and printed no states; run herd7 on it to see why"));
  Outcome outcome = RunHardware(Execute(file, loaded.test), loaded.test.architecture);
  ApplyFilter(loaded.test.program, &outcome);
  HerdStates ours;
  for (const auto &[state, count] : outcome.states)
    ours.insert(SplitState(FormatState(loaded.test.program, state)));
  std::string difference = DescribeDifference(ours, *theirs);
  return difference.empty() ? "" : file + ": differs from herd7\n" + difference;
}

} // namespace heddle
