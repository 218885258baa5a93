#include "stress_command.h"

#include "command.h"
#include "litmus/compile/stress.h"
#include "litmus/compile/tests.h"
#include "test_options.h"

#include <cstdio>
#include <memory>
#include <thread>

namespace heddle {
namespace {

using namespace litmus;
using namespace litmus::compile;

#if defined(__x86_64__)
constexpr const char *kNative = "x86-64";
#elif defined(__aarch64__)
constexpr const char *kNative = "aarch64";
#else
constexpr const char *kNative = "riscv64";
#endif

struct Options {
  TestSelection selection;
  std::string compiler = "gcc", level = "O2";
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  StressOptions stress;
};

// Complain would leave out "litmus".
int Say(const std::string &what) {
  fprintf(stderr, "heddle litmus stress: %s\n", what.c_str());
  return kCommandFailed;
}

int RunStressCommand(const Options &options) {
  Configuration native;
  native.target = *FindTarget(kNative);
  try {
    native.compiler = FindCompiler(options.compiler, native.target, options.stress.limits);
  } catch (const ToolError &error) {
    return Say(error.what());
  }
  native.level = "-" + options.level;
  std::vector<std::string> refused;
  const std::vector<Test> tests = SelectTests(options.selection, options.jobs, &refused);
  for (const std::string &why : refused)
    Say(why);
  if (tests.empty())
    return Say("no litmus test is left to run; name files, or use --events");
  CampaignOptions campaign;
  campaign.jobs = options.jobs;
  campaign.limits = options.stress.limits;
  const Result model = RunCampaign(tests, {native}, campaign)[0];
  const std::vector<StressResult> stress = RunStress(tests, native, options.stress);
  size_t not_run = refused.size();
  for (size_t i = 0; i < tests.size(); i++)
    for (const std::string &why : {model.not_run, model.verdicts[i].not_run, stress[i].not_run})
      if (!why.empty()) {
        Say(tests[i].program.name + ": not run: " + why);
        not_run++;
        break;
      }
  fputs(PrintStressTable(tests, model, stress).c_str(), stdout);
  const std::vector<std::string> surprises = Surprises(tests, model, stress);
  for (const std::string &surprise : surprises)
    printf("%s\n", surprise.c_str());
  return surprises.empty() ? not_run ? kCommandFailed : kNothingFound : kFound;
}

} // namespace

std::function<int()> AddStressCommand(CLI::App *litmus, CLI::App **subcommand) {
  auto options = std::make_shared<Options>();
  CLI::App *stress = *subcommand = litmus->add_subcommand(
      "stress", "Runs litmus tests on this machine's processor many times, and compares with its "
                "memory model and with C11.");
  AddTestOptions(stress, &options->selection);
  stress->add_option("--cc", options->compiler, "gcc, clang, or a command")->capture_default_str();
  AddWord(stress, "--level", &options->level, {"O0", "O1", "O2", "O3"}, "Level of optimisation");
  stress->add_option("--runs", options->stress.runs, "Runs of each test with each barrier")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  stress->add_option("--barriers", options->stress.barriers, "How threads begin a run together")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"user", "timebase"}))
      ->capture_default_str();
  stress->add_option("--seed", options->stress.seed, "Of the allotment of memory to runs")
      ->capture_default_str();
  stress
      ->add_option("--timeout", options->stress.seconds,
                   "Seconds that a program of 32 tests may run")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  stress->add_option("--jobs", options->jobs, "Threads to use for the model")
      ->check(CLI::Range(1, 1024));
  stress->footer("Exits with 0 if every state that was seen is one that C11 and the model allow, 1 "
                 "if one is not, 2 if tests could not be run.");
  return Guarded(*stress, [=] { return RunStressCommand(*options); });
}

} // namespace heddle
