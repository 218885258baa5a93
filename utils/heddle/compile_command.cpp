#include "compile_command.h"

#include "command.h"
#include "hunt/failure.h"
#include "litmus/compile/campaign.h"
#include "litmus/compile/report.h"
#include "litmus/compile/summary.h"
#include "litmus/compile/tests.h"
#include "test_options.h"

#include <cstdio>
#include <memory>
#include <thread>

#include <unistd.h>

namespace heddle {
namespace {

using namespace litmus;
using namespace litmus::compile;

struct CompileOptions {
  TestSelection selection;
  std::vector<std::string> compilers = {"gcc", "clang"};
  std::vector<std::string> targets;
  std::vector<std::string> levels = {"O0", "O1", "O2", "O3"};
  std::string out;
  size_t reports = 20;
  CampaignOptions campaign;
};

// What can be run of all that was asked for, and what is said of the rest.
struct Plan {
  std::vector<Configuration> configurations;
  std::vector<std::string> missing;
};

Plan MakePlan(const CompileOptions &options) {
  Plan plan;
  for (const std::string &name : options.targets)
    for (const std::string &cc : options.compilers)
      try {
        const Target &target = *FindTarget(name);
        const Compiler compiler = FindCompiler(cc, target, options.campaign.limits);
        for (const std::string &level : options.levels)
          plan.configurations.push_back({compiler, target, "-" + level});
      } catch (const ToolError &error) {
        plan.missing.push_back(cc + " " + name + ": " + error.what());
      }
  return plan;
}

// Complain would leave out "litmus".
int Say(const std::string &what) {
  fprintf(stderr, "heddle litmus compile: %s\n", what.c_str());
  return kCommandFailed;
}

std::string Some(const std::vector<std::string> &names) {
  constexpr size_t kSome = 3;
  std::string text;
  for (size_t i = 0; i < std::min(kSome, names.size()); i++)
    text += (i ? ", " : "") + names[i];
  return names.size() > kSome ? text + ", ..." : text;
}

void PrintFailures(const std::vector<Test> &tests, const Result &result) {
  const std::vector<size_t> failed = FailedTests(tests, result);
  if (failed.empty())
    return;
  std::vector<std::string> names;
  for (size_t test : failed)
    names.push_back(tests[test].program.name);
  printf("%s: %zu failed, the shortest first: %s\n", NameOf(result.configuration).c_str(),
         failed.size(), Some(names).c_str());
}

size_t ComplainNotRun(const std::vector<Test> &tests, const Result &result) {
  constexpr size_t kReasons = 5; // as a rule they are all the same but for addresses
  size_t all = 0, reasons = 0;
  for (const auto &[reason, names] : ReasonsNotRun(tests, result)) {
    if (reasons++ < kReasons)
      Say(NameOf(result.configuration) + ": not run: " + Some(names) +
          (names.size() > 1 ? " (" + std::to_string(names.size()) + " tests)" : "") + ": " +
          reason);
    all += names.size();
  }
  if (reasons > kReasons)
    Say(NameOf(result.configuration) + ": and " + std::to_string(reasons - kReasons) +
        " more such messages");
  return all;
}

void ShowProgress(size_t done, size_t all) {
  fprintf(stderr, "\r%zu of %zu tests%s", done, all, done == all ? "\n" : "");
}

int RunCompile(CompileOptions options) {
  if (options.targets.empty())
    for (const Target &target : Targets())
      options.targets.push_back(target.name);
  const Plan plan = MakePlan(options);
  for (const std::string &missing : plan.missing)
    Say(missing);
  if (plan.configurations.empty())
    return Say("none of the compilers can be run");
  std::vector<std::string> refused;
  const std::vector<Test> tests = SelectTests(options.selection, options.campaign.jobs, &refused);
  for (const std::string &why : refused)
    Say(why);
  if (tests.empty())
    return Say("no litmus test is left to run; name files, or use --events");
  if (isatty(STDERR_FILENO))
    options.campaign.progress = ShowProgress;
  const std::vector<Result> results = RunCampaign(tests, plan.configurations, options.campaign);
  std::vector<Row> rows;
  size_t not_run = plan.missing.size() + refused.size(), failed = 0;
  for (const Result &result : results) {
    rows.push_back(Summarise(tests, result));
    failed += rows.back().failed;
    not_run += ComplainNotRun(tests, result);
  }
  fputs(PrintTable(rows).c_str(), stdout);
  for (const Result &result : results)
    PrintFailures(tests, result);
  if (!plan.missing.empty())
    printf("not run at all: %zu of the compilers; see above\n", plan.missing.size());
  if (!refused.empty())
    printf("not run with any compiler: %zu test%s; see above\n", refused.size(),
           refused.size() == 1 ? "" : "s");
  if (!options.out.empty()) {
    for (const std::string &complaint :
         WriteReports(options.out, tests, results, options.campaign, options.reports))
      Say(complaint);
    printf("%s/report.html and results.csv are written\n", options.out.c_str());
  }
  return failed ? kFound : not_run ? kCommandFailed : kNothingFound;
}

} // namespace

std::function<int()> AddCompileCommand(CLI::App *litmus, CLI::App **subcommand) {
  auto options = std::make_shared<CompileOptions>();
  options->campaign.jobs = std::max(1u, std::thread::hardware_concurrency());
  CLI::App *compile = *subcommand = litmus->add_subcommand(
      "compile",
      "Compiles litmus tests, and judges the machine code by the hardware's memory model "
      "against C11.");
  std::vector<std::string> targets;
  for (const Target &target : Targets())
    targets.push_back(target.name);
  AddTestOptions(compile, &options->selection);
  compile
      ->add_option("--cc", options->compilers,
                   "Compilers: gcc, clang, or commands that take the words of one of them")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  compile->add_option("--target", options->targets, "What to compile for; all if none is named")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(targets));
  compile->add_option("--levels", options->levels, "Levels of optimisation")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"O0", "O1", "O2", "O3", "Os", "Og"}))
      ->capture_default_str();
  compile
      ->add_option("--timeout", options->campaign.limits.seconds,
                   "Seconds that a run of a compiler may take")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  compile->add_option("--batch", options->campaign.batch, "Tests in a C file")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  compile->add_option("--jobs", options->campaign.jobs, "Threads to use")
      ->check(CLI::Range(1, 1024));
  compile
      ->add_option("--out", options->out,
                   "Writes results.csv, failures.csv, report.html, and directories of failures")
      ->type_name("DIRECTORY");
  compile
      ->add_option("--reports", options->reports,
                   "With --out, failures with a directory of their own, for each compiler, target "
                   "and level: the shortest of each kind first")
      ->capture_default_str();
  compile->footer("Exits with 0 if no test has failed, 1 if one has, 2 if none has but some could "
                  "not be run.");
  return Guarded(*compile, [=] { return RunCompile(*options); });
}

} // namespace heddle
