#include "executor.h"

#include "deadly_signal_watch.h"
#include "reaped_process.h"
#include "running_time.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle::hunt {

ProgramFiles::ProgramFiles()
    : nothing_(open("/dev/null", O_RDONLY | O_CLOEXEC)), output_(MemoryFile("heddle-output")),
      errors_(MemoryFile("heddle-errors")) {}

SpawnPlan ProgramFiles::Plan(const Setting &setting, Options *options) const {
  SpawnPlan plan;
  plan.path = setting.program.path;
  plan.arguments = setting.program.arguments;
  plan.directory = setting.program.directory;
  plan.in = nothing_.Get();
  plan.out = output_.Get();
  plan.err = errors_.Get();
  if (setting.statistics) {
    const int number = NumberInProgram(0);
    plan.others.emplace_back(setting.statistics->Number(), number);
    options->Set("statistics_file", unsigned(number)).Set("statistics_slot", setting.slot);
  }
  return plan;
}

Execution SpawnExecutor::Run(const Options &options) {
  const ProgramFiles files;
  Options all = options;
  SpawnPlan plan = files.Plan(setting_, &all);
  plan.environment = setting_.environment.With(all);
  if (setting_.statistics)
    setting_.statistics->Clear(setting_.slot);
  WaitLimits limits;
  limits.seconds = setting_.timeout;
  limits.stop = setting_.stop;
  ReapedProcess process(plan, ReapedProcess::Lasts::kAsLongAsTheProgram, setting_.left);
  limits.meanwhile = Attendance(files.Output(), files.Errors(), process.Process());
  Execution execution;
  execution.ended = process.Await(limits);
  execution.ended.output = ReadOutput(files.Output());
  execution.ended.errors = ReadOutput(files.Errors());
  if (setting_.statistics)
    execution.statistics = setting_.statistics->Read(setting_.slot);
  return execution;
}

int NumberInProgram(int which) {
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit))
    limit.rlim_cur = 256;
  return int(std::min<rlim_t>(limit.rlim_cur, 1000)) - 1 - which;
}

void DropTooMuch(int output) {
  struct stat status;
  if (!fstat(output, &status) && status.st_size > kMaxOutput)
    (void)!ftruncate(output, 0);
}

std::string ReadOutput(int output) {
  struct stat status;
  const off_t size = fstat(output, &status) ? 0 : status.st_size;
  return ReadAll(output, std::max<off_t>(0, size - kMaxOutput));
}

std::function<bool()> Attendance(int output, int errors, pid_t group) {
  return [=, time = RunningTime(), watch = DeadlySignalWatch(output, errors)]() mutable {
    DropTooMuch(output);
    DropTooMuch(errors);
    return watch.IsStuck(group, time.Look());
  };
}

} // namespace heddle::hunt
