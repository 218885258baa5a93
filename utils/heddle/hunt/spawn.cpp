#include "spawn.h"

#include "failure.h"
#include "files.h"
#include "process_status.h"
#include "running_time.h"

#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle::hunt {
namespace {

std::vector<char *> Pointers(const std::vector<std::string> &words) {
  std::vector<char *> pointers;
  for (const std::string &word : words)
    pointers.push_back(const_cast<char *>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// In the child, which may call nothing but the system: other threads may have held locks when
// it was forked.
[[noreturn]] void Become(const SpawnPlan &plan, char **arguments, char **environment, pid_t parent,
                         int report) {
  if (plan.apart) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
      _exit(127);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  DefaultSignals();
  bool ok = plan.directory.empty() || chdir(plan.directory.c_str()) == 0;
  const int standard[] = {plan.in, plan.out, plan.err};
  for (int i = 0; i < 3; i++)
    ok = ok && (standard[i] < 0 || dup2(standard[i], i) >= 0);
  for (const auto &[ours, its] : plan.others)
    ok = ok && (ours == its ? fcntl(its, F_SETFD, 0) >= 0 : dup2(ours, its) >= 0);
  if (ok)
    execve(plan.path.c_str(), arguments, environment);
  const int error = errno;
  (void)!write(report, &error, sizeof(error));
  _exit(127);
}

} // namespace

void DefaultSignals() {
  for (int number : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ})
    signal(number, SIG_DFL);
}

pid_t Spawn(const SpawnPlan &plan) {
  std::vector<char *> arguments = Pointers(plan.arguments),
                      environment = Pointers(plan.environment);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC))
    throw Failure(std::string("no descriptors are left: ") + strerror(errno) +
                  ". Raise the limit: ulimit -n 4096");
  Descriptor from(ends[0]), to(ends[1]);
  const pid_t parent = getpid();
  const pid_t process = fork();
  if (process == 0)
    Become(plan, arguments.data(), environment.data(), parent, to.Get());
  if (process < 0)
    throw Failure(std::string("no process can be started: ") + strerror(errno) +
                  ". Raise the limit of processes: ulimit -u");
  if (plan.apart)
    setpgid(process, process); // whoever comes first
  to.Close();
  int error = 0;
  if (read(from.Get(), &error, sizeof(error)) == ssize_t(sizeof(error))) {
    waitpid(process, nullptr, 0);
    throw Failure("cannot start " + plan.path + ": " + strerror(error));
  }
  return process;
}

Ended Await(pid_t process, const WaitLimits &limits) {
  Ended ended;
  RunningTime time;
  Descriptor end = ProcessDescriptor(process);
  ended.how = Ended::How::kExited;
  while (true) {
    pollfd waits[2] = {{end.Get(), POLLIN, 0}, {limits.stop, POLLIN, 0}};
    const double limit = limits.seconds > 0 ? limits.seconds : HUGE_VAL;
    poll(waits, limits.stop >= 0 ? 2 : 1, time.Wait(limit));
    if (waits[0].revents || !end)
      break;
    if (waits[1].revents)
      ended.how = Ended::How::kInterrupted;
    else if (time.Look() >= limit || (limits.meanwhile && limits.meanwhile()))
      ended.how = Ended::How::kTimedOut;
    if (ended.how != Ended::How::kExited)
      break;
  }
  ended.waited = ended.how != Ended::How::kExited && Sleeps(process);
  // Before it is waited for, so that the number is still its own.
  kill(-process, SIGKILL);
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  if (ended.how != Ended::How::kExited)
    return ended;
  ended.how = WIFSIGNALED(status) ? Ended::How::kSignalled : Ended::How::kExited;
  ended.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  return ended;
}

} // namespace heddle::hunt
