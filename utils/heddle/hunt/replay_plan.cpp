#include "replay_plan.h"

#include "demo_info.h"
#include "failure.h"
#include "files.h"
#include "findings.h"

namespace heddle::hunt {
namespace {

void PlayDemo(const std::string &path, ReplayPlan *plan) {
  plan->demo = std::make_shared<PlainPath>(Absolute(path));
  plan->options.Set("play_demo", plan->demo->Text());
}

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

void PlanFinding(const std::string &path, const std::string &program, ReplayPlan *plan) {
  const Finding finding = LoadFinding(path);
  plan->program = finding.program;
  SetProgram(program, finding.program.path, plan);
  for (const auto &[name, value] : finding.environment)
    plan->environment.Set(name, value);
  const std::string demo = Absolute(path) + "/demo";
  if (!Exists(demo)) {
    // It could not be recorded; its seed repeats the schedule.
    plan->options = finding.options;
    return;
  }
  ReadDemoInfo(demo); // complains if it is damaged
  PlayDemo(demo, plan);
}

void PlanDemo(const std::string &path, const std::string &program, ReplayPlan *plan) {
  const DemoInfo info = ReadDemoInfo(path);
  plan->program.arguments = info.arguments;
  plan->program.directory = info.Variable("PWD");
  SetProgram(program, Resolve(info.arguments[0], plan->program.directory), plan);
  PlayDemo(path, plan);
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
  if (!Exists(path))
    throw Failure("there is no " + path + ". Name a finding's directory, or a demo's.");
  if (IsFinding(path))
    PlanFinding(path, program, &plan);
  else if (IsDemo(path))
    PlanDemo(path, program, &plan);
  else
    throw Failure(path + " is neither a finding, which has a finding.json, nor a demo, "
                         "which has a META.");
  return plan;
}

} // namespace heddle::hunt
