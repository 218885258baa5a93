#include "replay_plan.h"

#include "demo_info.h"
#include "failure.h"
#include "files.h"
#include "findings.h"
#include "mark.h"
#include "stored_file.h"

#include "heddle/demo/demo_environment.h"
#include "heddle/demo/demo_flags.h"

namespace heddle::hunt {
namespace {

// `name` as it was typed in `directory`.
std::string Resolve(const std::string &name, const std::string &directory) {
  if (name.find('/') == std::string::npos || name[0] == '/' || directory.empty())
    return name;
  return directory + "/" + name;
}

void SetProgram(const std::string &elsewhere, const std::string &path, ReplayPlan *plan) {
  const std::vector<std::string> arguments = plan->program.arguments;
  const std::string directory = plan->program.directory;
  try {
    plan->program = FindProgram({elsewhere.empty() ? path : elsewhere});
  } catch (const Failure &failure) {
    throw Failure(std::string(failure.what()) +
                  (elsewhere.empty() ? " If it is elsewhere now: --program PATH." : ""));
  }
  plan->program.arguments = arguments;
  if (IsDirectory(directory))
    plan->program.directory = directory;
}

// Those that a demo may set: none names a file, or another program.
Options DemoFlagsIn(const Options &options) {
  Options kept;
  for (const auto &[name, value] : options.All())
    if (__heddle::IsDemoFlag(name.c_str(), name.size()))
      kept.Set(name, value);
  return kept;
}

void PlayDemo(const std::string &demo, const DemoInfo &info, ReplayPlan *plan) {
  plan->recorded = info.environment;
  plan->demo = std::make_shared<PlainPath>(Absolute(demo));
  plan->options.Set("play_demo", plan->demo->Text());
  if (!plan->foreign) {
    plan->options.Set("trust_demo", "1").Set("play_demo_mb", "0");
    return;
  }
  // The demo's are not taken, and the runtime knows no others.
  const auto &variables = plan->environment.Variables();
  const auto symbolizer = variables.find("TSAN_SYMBOLIZER_PATH");
  if (symbolizer != variables.end())
    plan->options.Set("external_symbolizer_path", symbolizer->second);
}

// Of a finding; nothing if it has none.
std::string DemoOf(const std::string &path) {
  const std::string demo = Absolute(path) + kFindingDemo;
  if (!IsThere(demo))
    return "";
  if (!IsStoredDirectory(demo))
    throw Failure(demo +
                  " is no directory. Links in findings are not followed: put the demo itself "
                  "there.");
  return demo;
}

void PlanFinding(const std::string &path, const std::string &program, ReplayPlan *plan) {
  const Finding finding = LoadFinding(path);
  plan->foreign = !finding.own;
  plan->program = finding.program;
  SetProgram(program, finding.program.path, plan);
  for (const auto &[name, value] : finding.environment)
    if (finding.own || !__heddle::DecidesWhatRuns((name + "=").c_str()))
      plan->environment.Set(name, value);
  const std::string demo = DemoOf(path);
  if (!demo.empty())
    return PlayDemo(demo, ReadDemoInfo(demo), plan);
  // It could not be recorded; its seed repeats the schedule.
  plan->options = finding.own ? finding.options : DemoFlagsIn(finding.options);
}

std::string ProgramIn(const DemoInfo &info) {
  return Resolve(info.arguments[0], info.Variable("PWD"));
}

void PlanDemo(const std::string &path, const std::string &program, ReplayPlan *plan) {
  const DemoInfo info = ReadDemoInfo(path);
  plan->foreign = !HasMark(path);
  plan->program.arguments = info.arguments;
  plan->program.directory = info.Variable("PWD");
  SetProgram(program, ProgramIn(info), plan);
  PlayDemo(path, info, plan);
}

// Throws Failure if it is neither.
void CheckPath(const std::string &path) {
  if (!Exists(path))
    throw Failure("there is no " + path + ". Name a finding's directory, or a demo's.");
  if (!IsFinding(path) && !IsDemo(path))
    throw Failure(path + " is neither a finding, which has a finding.json, nor a demo, "
                         "which has a META.");
}

} // namespace

SpawnPlan ReplayPlan::ToSpawn() const {
  SpawnPlan spawn;
  spawn.path = program.path;
  spawn.arguments = program.arguments;
  spawn.directory = program.directory;
  spawn.environment = environment.With(options);
  return spawn;
}

ReplayPlan PlanReplay(const std::string &path, const std::string &program) {
  ReplayPlan plan;
  CheckPath(path);
  plan.place = Absolute(path);
  if (IsFinding(path))
    PlanFinding(path, program, &plan);
  else
    PlanDemo(path, program, &plan);
  return plan;
}

StoredExecution ReadStoredExecution(const std::string &path) {
  CheckPath(path);
  StoredExecution stored;
  const bool finding = IsFinding(path);
  const std::string demo = finding ? DemoOf(path) : Absolute(path);
  if (demo.empty() || !IsThere(ExecutionOf(demo)))
    return stored;
  const DemoInfo info = ReadDemoInfo(demo);
  stored.build = info.build;
  stored.program = finding ? LoadFinding(path).program.path : ProgramIn(info);
  stored.command = ShellJoin(info.arguments);
  stored.execution = ReadStored(ExecutionOf(demo));
  return stored;
}

} // namespace heddle::hunt
