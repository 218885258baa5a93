#include "hunt_command.h"

#include "command.h"
#include "hunt/failure.h"
#include "hunt/files.h"
#include "hunt/hunt.h"
#include "hunt/mark.h"
#include "hunt/progress.h"
#include "hunt/reports.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <thread>

#include <fcntl.h>
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

// Before the hunt: an hour later would be a bad time to say so.
void CheckThatItCanBeWritten(const std::string &path) {
  if (path.empty() || path == "-")
    return;
  const bool there = Exists(path);
  const Descriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (!file)
    throw Failure("cannot write " + path + ": " + strerror(errno) +
                  ". Name a file in a directory that is there and can be written to.");
  if (!there)
    unlink(path.c_str());
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
  settings.users = FlagsForHunt(environment.UserOptions(), "TSAN_OPTIONS", &settings.left_out);
  settings.more = FlagsForHunt(Options(options.options), "--options", &settings.left_out);
  return settings;
}

int RunHunt(const HuntOptions &options, const CLI::App &command) {
  const Environment environment;
  const HuntSettings settings = SettingsOf(options, environment);
  const Program program = FindProgram(ProgramOf(command));
  CheckThatItCanBeWritten(options.json);
  CheckThatItCanBeWritten(options.junit);
  FindingsStore store(settings.findings);
  if (const std::string why = WhyNoMarks(); !why.empty())
    Complain(command, "`heddle replay` will ask whether findings are to be trusted: " + why);
  StopSwitch stop;
  stop.HeedSignals();
  // Standard output is the summary's, or JSON's.
  ConsoleProgress progress(settings, stderr, isatty(STDERR_FILENO), options.quiet);
  for (const std::string &name : settings.left_out)
    progress.Remark("the flag " + name + " is left out: a hunt reads the reports itself.");
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
  if (result.reason == StopReason::kSignal && !options.quiet)
    fprintf(stderr, "stopped by signal %d; what was found is in %s.\n", result.signal,
            settings.findings.c_str());
  if (!result.failure.empty())
    throw Failure(result.failure);
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
  hunt->add_option("--runs", settings.runs, "Ends after this many executions");
  hunt->add_option(
      "--time", options->time,
      "Ends after this time: 90, 90s, 5m, 2h. Without any limit a hunt takes a minute");
  hunt->add_flag("--until-bug", settings.until_bug, "Ends with the first finding");
  hunt->add_option("--findings", settings.findings,
                   "The directory for findings; what is there already stays")
      ->capture_default_str();
  hunt->add_option("--jobs,-j", settings.jobs,
                   "How many executions at a time; one for each processor unless given");
  hunt->add_option("--timeout", options->timeout,
                   "How long one execution may take, as --time; 60s unless given. One that takes "
                   "longer is a finding");
  AddSeed(hunt, &settings.seed, "The seed of the first execution; the next ones count up")
      ->capture_default_str();
  hunt->add_option(
      "--shard", options->shard,
      "I/N, with I from 0 to N - 1: this is one of N hunts that share no seed. See `heddle merge`");
  hunt->add_option("--json", options->json,
                   "Writes the result as JSON to this file; - is standard "
                   "output");
  hunt->add_option("--junit", options->junit,
                   "Writes the result as JUnit XML to this file; - is standard output");
  AddWord(hunt, "--strategy", &settings.strategy, kStrategyWords,
          "Only this strategy of scheduling, instead of all in turn");
  AddWord(hunt, "--weak-memory", &settings.weak_memory, kWeakMemoryWords,
          "Only this engine of weak memory: only the newest store is read (off), older ones too "
          "(buffer), all that C++ allows (mograph)");
  AddWord(hunt, "--read-policy", &settings.read_policy, kReadPolicyWords,
          "Only this way to choose which store a load reads");
  hunt->add_option("--replays", settings.replays,
                   "How often each finding is replayed to confirm it")
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
      "Exits with 0 if nothing was found, 1 if something was, 2 if the hunt itself failed or no "
      "execution has ended. "
      "Ctrl-C ends it; what was found so far is kept.");
  return Guarded(*hunt, [=] { return RunHunt(*options, *hunt); });
}

} // namespace heddle
