#include "run_command.h"

#include "command.h"
#include "hunt/executor.h"
#include "hunt/failure.h"
#include "hunt/files.h"
#include "hunt/flags.h"
#include "hunt/foreground.h"
#include "hunt/mark.h"
#include "hunt/outcome.h"
#include "hunt/printable.h"
#include "hunt/program.h"
#include "hunt/statistics_file.h"
#include "hunt/stored_file.h"

#include <cstdio>
#include <memory>
#include <random>

#include <unistd.h>

namespace heddle {
namespace {

using namespace hunt;

struct RunOptions {
  std::string strategy = "random", weak_memory = "mograph", read_policy;
  uint64_t seed = 0;
  std::string record, options;
  bool quiet = false;
};

Options FlagsOf(const RunOptions &options, const hunt::Options &users) {
  const Options more(options.options);
  CheckFlags(users, "TSAN_OPTIONS");
  CheckFlags(more, "--options");
  Options flags = users;
  flags.Set("schedule", options.strategy).Set("weak_memory", options.weak_memory);
  if (options.weak_memory != "off")
    flags.Set("read_policy", options.read_policy);
  flags.Set("seed", options.seed);
  if (!options.record.empty())
    flags.Set("record_demo", options.record);
  return flags.Add(more);
}

std::string Count(uint64_t number, const std::string &one, const std::string &many) {
  return std::to_string(number) + " " + (number == 1 ? one : many);
}

void Say(const std::string &line) { fprintf(stderr, "heddle: %s\n", Printable(line).c_str()); }

void SayWhatWasExplored(const RunOptions &options,
                        const std::optional<ExecutionStatistics> &statistics) {
  std::string line = "schedule " + options.strategy + ", seed " + std::to_string(options.seed) +
                     ", weak memory " + options.weak_memory;
  if (statistics) {
    line += ": " + Count(statistics->threads, "thread", "threads") + ", " +
            Count(statistics->operations, "visible operation", "visible operations") + ", " +
            Count(statistics->preemptions, "preemption", "preemptions");
    if (options.weak_memory != "off")
      line += ", " + Count(statistics->stale_reads, "stale read", "stale reads") + " of " +
              Count(statistics->loads, "load", "loads");
  }
  Say(line + ".");
}

void SayWhatWasFound(const std::vector<Observation> &found) {
  if (found.empty())
    return Say("nothing found in this execution. `heddle hunt` looks at many.");
  for (const Observation &one : found)
    Say("found: " + one.what + (one.place.empty() ? "" : " at " + one.place) + ".");
}

// What log_path sends elsewhere than to standard error is only known by the exit code.
void NameLoggedReport(const Options &flags, const Ended &ended, std::vector<Observation> *found) {
  const std::string path = flags.Get("log_path");
  if (path.empty() || path == "stderr" || ended.code != ReportCode(flags))
    return;
  for (Observation &one : *found)
    if (one.kind == Kind::kExit)
      one.what = "a report, which log_path has sent to " + path;
}

std::string MetaOf(const std::string &demo) {
  return !demo.empty() && IsStoredFile(demo + "/META") ? ReadStored(demo + "/META") : "";
}

void SayHowToReplay(const std::string &demo) {
  Say("to see it again: heddle replay " + ShellPath(demo));
  if (!HasMark(demo)) {
    const std::string why = WhyNoMarks();
    Say("the replay will ask whether the demo is to be trusted: " +
        (why.empty() ? "its mark could not be written." : why));
  }
}

int Run(const RunOptions &chosen, const std::vector<std::string> &command) {
  RunOptions options = chosen;
  const Program program = FindProgram(command);
  const Environment environment;
  // Those two have a policy of their own.
  if (options.read_policy.empty())
    options.read_policy =
        options.strategy == "pos" || options.strategy == "pctwm" ? "strategy" : "mixed";
  while (!options.seed)
    options.seed = std::random_device()();
  Options flags = FlagsOf(options, environment.UserOptions());
  const bool colours = isatty(STDERR_FILENO) && !flags.Has("color");
  StatisticsFile statistics;
  SpawnPlan plan;
  plan.path = program.path;
  plan.arguments = program.arguments;
  plan.others.emplace_back(statistics.Number(), NumberInProgram(0));
  Options all = flags;
  all.Set("statistics_file", unsigned(NumberInProgram(0))).Set("statistics_slot", 0u);
  if (colours)
    all.Set("color", "always");
  plan.environment = environment.With(all);
  const std::string demo = flags.Get("record_demo"), before = MetaOf(demo);
  if (!demo.empty())
    ReserveMark(demo);
  Ended ended = RunInForeground(plan);
  ended.errors = WithoutColours(ended.errors);
  // If nothing was recorded, what is there may be anyone's.
  if (MetaOf(demo) != before)
    MarkDemo(demo);
  else if (!demo.empty())
    ReleaseMark(demo);
  std::vector<Observation> found = ReadOutcome(ended, ReportCode(flags));
  NameLoggedReport(flags, ended, &found);
  for (const Observation &one : found)
    if (one.kind == Kind::kRefused)
      throw Failure("the runtime in " + program.path + " says: " + one.what);
  if (!statistics.Read(0) && ended.how == Ended::How::kExited)
    CheckThatOursRan(program);
  if (!options.quiet) {
    SayWhatWasExplored(options, statistics.Read(0));
    if (!statistics.Read(0) && found.empty())
      Say(kNoWord);
    SayWhatWasFound(found);
    if (!options.record.empty())
      SayHowToReplay(options.record);
    else if (options.strategy != "queue")
      Say("to see it again: TSAN_OPTIONS=" + ShellQuote(flags.Text()) + " " +
          ShellJoin(program.arguments));
  }
  return ShellCode(ended);
}

} // namespace

std::function<int()> AddRunCommand(CLI::App *heddle, CLI::App **subcommand) {
  auto options = std::make_shared<RunOptions>();
  CLI::App *run = *subcommand =
      heddle->add_subcommand("run", "Runs a program once, under a schedule and with weak memory.");
  TakesProgram(run);
  AddWord(run, "--strategy", &options->strategy, kStrategyWords,
          "How it is chosen which thread goes on after an operation");
  AddSeed(run, &options->seed, "What all choices are drawn from; 0 draws one");
  AddWord(run, "--weak-memory", &options->weak_memory, kWeakMemoryWords,
          "What atomic loads may read: only the newest store (off), older ones (buffer), all that "
          "C++ allows (mograph)");
  AddWord(
      run, "--read-policy", &options->read_policy, kReadPolicyWords,
      "How it is chosen which of these they read; mixed, or strategy with pos and pctwm, if none "
      "is given");
  run->add_option("--record", options->record,
                  "Records the run to this directory, for `heddle replay` and `heddle show`");
  run->add_option("--options", options->options, "More flags, as in TSAN_OPTIONS");
  run->add_flag("--quiet,-q", options->quiet, "Says nothing itself");
  run->footer("Exits as the program does: with its exit code, 66 if there is a report, 128 and the "
              "number of a signal. 2 also means that it could not be run.");
  return Guarded(*run, [=] { return Run(*options, ProgramOf(*run)); });
}

} // namespace heddle
