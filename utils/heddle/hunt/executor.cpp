#include "executor.h"

#include "failure.h"
#include "spawn.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle::hunt {

Execution SpawnExecutor::Run(const Options &options) {
  Descriptor nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
  Descriptor output = MemoryFile("heddle-output"), errors = MemoryFile("heddle-errors");
  Options all = options;
  SpawnPlan plan;
  plan.path = setting_.program.path;
  plan.arguments = setting_.program.arguments;
  plan.directory = setting_.program.directory;
  plan.in = nothing.Get();
  plan.out = output.Get();
  plan.err = errors.Get();
  if (setting_.statistics) {
    const int number = NumberInProgram(0);
    setting_.statistics->Clear(setting_.slot);
    plan.others.emplace_back(setting_.statistics->Number(), number);
    all.Set("statistics_file", unsigned(number)).Set("statistics_slot", setting_.slot);
  }
  plan.environment = setting_.environment.With(all);
  WaitLimits limits;
  limits.seconds = setting_.timeout;
  limits.stop = setting_.stop;
  limits.meanwhile = [&] {
    DropTooMuch(output.Get());
    DropTooMuch(errors.Get());
  };
  Execution execution;
  execution.ended = Await(Spawn(plan), limits);
  execution.ended.output = ReadAll(output.Get());
  execution.ended.errors = ReadAll(errors.Get());
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

} // namespace heddle::hunt
