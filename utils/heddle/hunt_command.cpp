#include "hunt_command.h"

#include "command.h"
#include "hunt/failure.h"
#include "hunt/files.h"
#include "hunt/hunt.h"
#include "hunt/progress.h"
#include "hunt/reports.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <thread>

#include <unistd.h>

namespace heddle {
namespace {

using namespace hunt;

struct HuntOptions {
  HuntSettings settings;
  std::string time, timeout, shard, options, json, junit;
  bool no_fork_server = false, no_shrink = false, quiet = false;
};

void Write(const std::string &path, const std::string &content) {
  if (path == "-")
    fputs(content.c_str(), stdout);
  else if (!path.empty())
    WriteFile(path, content);
}

HuntSettings SettingsOf(const HuntOptions &options, const Environment &environment) {
  HuntSettings settings = options.settings;
  if (!options.time.empty())
    settings.seconds = ReadDuration(options.time);
  else if (!settings.runs && !settings.until_bug)
    settings.seconds = 60;
  if (!options.timeout.empty())
    settings.timeout = ReadDuration(options.timeout);
  if (!options.shard.empty())
    settings.shard = ReadShard(options.shard);
  if (!settings.seed)
    throw Failure("--seed 0 is no seed. Name another.");
  settings.fork_server = !options.no_fork_server;
  if (options.no_shrink)
    settings.shrink_runs = 0;
  settings.jobs = std::clamp(settings.jobs, 1u, unsigned(__heddle::SharedStatistics::kSlots));
  settings.users = environment.UserOptions();
  settings.more = Options(options.options);
  return settings;
}

int RunHunt(const HuntOptions &options, const CLI::App &command) {
  const Environment environment;
  const HuntSettings settings = SettingsOf(options, environment);
  const Program program = FindProgram(ProgramOf(command));
  FindingsStore store(settings.findings);
  StopSwitch stop;
  stop.HeedSignals();
  // Standard output is the summary's, or JSON's.
  ConsoleProgress progress(settings, stderr, isatty(STDERR_FILENO), options.quiet);
  HuntResult result;
  {
    Hunt hunt(settings, program, environment, store, stop, progress);
    result = hunt.Run();
  }
  progress.End();
  if (options.json != "-" && options.junit != "-" && !options.quiet)
    fputs(SummaryText(result, settings.findings).c_str(), stdout);
  Write(options.json, SummaryJson(result, settings, program));
  Write(options.junit, SummaryJunit(result, program));
  fflush(stdout);
  if (result.reason == StopReason::kFailure)
    throw Failure(result.failure);
  if (result.reason == StopReason::kSignal && !options.quiet)
    fprintf(stderr, "stopped by signal %d; what was found is in %s.\n", result.signal,
            settings.findings.c_str());
  return result.findings.empty() ? kNothingFound : kFound;
}

} // namespace

std::function<int()> AddHuntCommand(CLI::App *heddle, CLI::App **subcommand) {
  auto options = std::make_shared<HuntOptions>();
  HuntSettings &settings = options->settings;
  settings.jobs = std::max(1u, std::thread::hardware_concurrency());
  CLI::App *hunt = *subcommand = heddle->add_subcommand(
      "hunt", "Runs a program many times, each time in another way, and keeps what it finds.");
  TakesProgram(hunt);
  hunt->add_option("--runs", settings.runs, "Ends after so many executions");
  hunt->add_option("--time", options->time,
                   "Ends after so long: 90, 90s, 5m, 2h. A minute, unless another limit is given");
  hunt->add_flag("--until-bug", settings.until_bug, "Ends with the first finding");
  hunt->add_option("--findings", settings.findings, "The directory for findings")
      ->capture_default_str();
  hunt->add_option("--jobs,-j", settings.jobs, "Executions at the same time; one a processor");
  hunt->add_option("--timeout", options->timeout,
                   "How long an execution may take, 60s unless given; longer is a finding");
  hunt->add_option("--seed", settings.seed, "The first seed")->capture_default_str();
  hunt->add_option(
      "--shard", options->shard,
      "I/N, I from 0 to N - 1: of N hunts with the same --seed each has its own seeds");
  hunt->add_option("--json", options->json,
                   "Writes the result as JSON to this file; - is standard "
                   "output");
  hunt->add_option("--junit", options->junit, "Writes it as JUnit XML");
  AddWord(hunt, "--strategy", &settings.strategy, kStrategyWords, "Only this strategy");
  AddWord(hunt, "--weak-memory", &settings.weak_memory, kWeakMemoryWords, "Only this engine");
  AddWord(hunt, "--read-policy", &settings.read_policy, kReadPolicyWords, "Only this policy");
  hunt->add_option("--replays", settings.replays, "How often each finding is replayed")
      ->capture_default_str();
  hunt->add_option("--shrink-runs", settings.shrink_runs,
                   "How many executions may be spent on making a finding simpler")
      ->capture_default_str();
  hunt->add_flag("--no-shrink", options->no_shrink, "Leaves findings as they were found");
  hunt->add_flag("--no-fork-server", options->no_fork_server,
                 "Starts a process for each execution, for programs that cannot be forked");
  hunt->add_option("--options", options->options, "More flags, as in TSAN_OPTIONS");
  hunt->add_flag("--quiet,-q", options->quiet, "Says nothing but what went wrong");
  hunt->footer(
      "Exits with 0 if nothing was found, 1 if something was, 2 if the hunt itself failed. "
      "Ctrl-C ends it; what was found so far is kept.");
  return Guarded(*hunt, [=] { return RunHunt(*options, *hunt); });
}

} // namespace heddle
