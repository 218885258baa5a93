#include "replay_command.h"

#include "command.h"
#include "hunt/failure.h"
#include "hunt/flags.h"
#include "hunt/foreground.h"
#include "hunt/replay_plan.h"
#include "hunt/trust.h"

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
  bool gdb = false, trust = false;
};

[[noreturn]] void StartGdb(const ReplayPlan &plan) {
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
  DefaultSignals();
  if (!chdir(plan.program.directory.c_str()))
    execve(gdb.c_str(), arguments.data(), environment.data());
  throw Failure("cannot start " + gdb + ": " + strerror(errno));
}

int Replay(const ReplayOptions &options) {
  ReplayPlan plan = PlanReplay(options.path, options.program);
  ConfirmForeign(plan, options.path, options.trust);
  if (options.tick)
    plan.options.Set("break_at_tick", options.tick);
  const Options more(options.options);
  CheckFlags(more, "--options");
  plan.options.Add(more);
  if (options.gdb)
    StartGdb(plan);
  return ShellCode(RunInForeground(plan.ToSpawn()));
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
  replay->add_flag(
      "--trust", options->trust,
      "Runs it without a question also if it was recorded by somebody else, or elsewhere");
  replay->footer(
      "What was recorded by somebody else, elsewhere, or without `heddle`, is not run before you "
      "have seen the program, its arguments and variables, and said yes. Exits as the program "
      "does: with its exit code, 66 if there is a report, 128 and "
      "the number of a signal; 67 if the program does something else than it did. 2 also "
      "means that it could not be repeated.");
  return Guarded(*replay, [=] { return Replay(*options); });
}

} // namespace heddle
