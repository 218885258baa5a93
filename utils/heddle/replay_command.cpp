#include "replay_command.h"

#include "command.h"
#include "hunt/demo_info.h"
#include "hunt/failure.h"
#include "hunt/files.h"
#include "hunt/findings.h"
#include "hunt/foreground.h"
#include "hunt/program.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <unistd.h>

namespace heddle {
namespace {

using namespace hunt;

struct ReplayOptions {
  std::string path, program, options;
  uint64_t tick = 0;
  bool gdb = false;
};

// What is to be run, with all flags.
struct Plan {
  Program program;
  Environment environment;
  Options options;
};

// `name` as it was typed in `directory`.
std::string Resolve(const std::string &name, const std::string &directory) {
  if (name.find('/') == std::string::npos || name[0] == '/' || directory.empty())
    return name;
  return directory + "/" + name;
}

void SetProgram(const ReplayOptions &options, const std::string &path, Plan *plan) {
  const std::vector<std::string> arguments = plan->program.arguments;
  const std::string directory = plan->program.directory;
  try {
    plan->program = FindProgram({options.program.empty() ? path : options.program});
  } catch (const Failure &failure) {
    throw Failure(std::string(failure.what()) +
                  (options.program.empty() ? " If it is elsewhere now: --program PATH." : ""));
  }
  plan->program.arguments = arguments;
  if (IsDirectory(directory))
    plan->program.directory = directory;
}

void PlanFinding(const ReplayOptions &options, Plan *plan) {
  const Finding finding = LoadFinding(options.path);
  plan->program = finding.program;
  SetProgram(options, finding.program.path, plan);
  for (const auto &[name, value] : finding.environment)
    plan->environment.Set(name, value);
  const std::string demo = Absolute(options.path) + "/demo";
  if (!Exists(demo)) {
    // It could not be recorded; its seed repeats the schedule.
    plan->options = finding.options;
    return;
  }
  ReadDemoInfo(demo); // complains if it is damaged
  plan->options.Set("play_demo", demo);
}

void PlanDemo(const ReplayOptions &options, Plan *plan) {
  const DemoInfo info = ReadDemoInfo(options.path);
  plan->program.arguments = info.arguments;
  plan->program.directory = info.Variable("PWD");
  SetProgram(options, Resolve(info.arguments[0], plan->program.directory), plan);
  plan->options.Set("play_demo", Absolute(options.path));
}

Plan MakePlan(const ReplayOptions &options) {
  Plan plan;
  if (!Exists(options.path))
    throw Failure("there is no " + options.path + ". Name a finding's directory, or a demo's.");
  if (IsFinding(options.path))
    PlanFinding(options, &plan);
  else if (IsDemo(options.path))
    PlanDemo(options, &plan);
  else
    throw Failure(options.path + " is neither a finding, which has a finding.json, nor a demo, "
                                 "which has a META.");
  if (options.tick)
    plan.options.Set("break_at_tick", options.tick);
  plan.options.Add(Options(options.options));
  return plan;
}

[[noreturn]] void StartGdb(const Plan &plan) {
  const std::string gdb = FindTool({"gdb"});
  if (gdb.empty())
    throw Failure("gdb is not on the PATH. Install it: apt-get install gdb");
  // The runtime executes the program anew when it starts; with a shell in between, gdb would lose
  // count of that.
  std::vector<std::string> words = {gdb,   "-q",  "-iex",  "set startup-with-shell off",
                                    "-ex", "run", "--args"};
  words.push_back(plan.program.path);
  words.insert(words.end(), plan.program.arguments.begin() + 1, plan.program.arguments.end());
  const std::vector<std::string> variables = plan.environment.With(plan.options);
  std::vector<char *> arguments, environment;
  for (const std::string &word : words)
    arguments.push_back(const_cast<char *>(word.c_str()));
  for (const std::string &variable : variables)
    environment.push_back(const_cast<char *>(variable.c_str()));
  arguments.push_back(nullptr);
  environment.push_back(nullptr);
  if (!chdir(plan.program.directory.c_str()))
    execve(gdb.c_str(), arguments.data(), environment.data());
  throw Failure("cannot start " + gdb + ": " + strerror(errno));
}

int Replay(const ReplayOptions &options) {
  const Plan plan = MakePlan(options);
  if (options.gdb)
    StartGdb(plan);
  SpawnPlan spawn;
  spawn.path = plan.program.path;
  spawn.arguments = plan.program.arguments;
  spawn.directory = plan.program.directory;
  spawn.environment = plan.environment.With(plan.options);
  return ShellCode(RunInForeground(spawn));
}

} // namespace

std::function<int()> AddReplayCommand(CLI::App *heddle, CLI::App **subcommand) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App *replay = *subcommand = heddle->add_subcommand(
      "replay", "Repeats a recorded execution: a finding of a hunt, or a demo.");
  replay->add_option("path", options->path, "The directory of a finding, or of a demo")->required();
  replay->add_flag("--gdb", options->gdb, "Starts gdb on it");
  replay->add_option("--break-at", options->tick,
                     "Raises SIGTRAP before the operation of this tick, for a debugger");
  replay->add_option("--program", options->program, "The program, if it is elsewhere now");
  replay->add_option("--options", options->options, "More flags, as in TSAN_OPTIONS");
  replay->footer(
      "Exits as the program does: with its exit code, 66 if there is a report, 128 and "
      "the number of a signal; 67 if the program does something else than it did. 2 also "
      "means that it could not be repeated.");
  return Guarded(*replay, [=] { return Replay(*options); });
}

} // namespace heddle
