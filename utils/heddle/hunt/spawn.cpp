#include "spawn.h"

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

} // namespace

Pipe::Pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC))
    throw Failure(std::string("no descriptors are left: ") + strerror(errno) +
                  ". Raise the limit: ulimit -n 4096");
  from = Descriptor(ends[0]);
  to = Descriptor(ends[1]);
}

ProgramStart::ProgramStart(const SpawnPlan &plan)
    : plan_(plan), arguments_(Pointers(plan.arguments)), environment_(Pointers(plan.environment)) {}

void ProgramStart::Become(pid_t parent, int report) const {
  if (plan_.apart) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
      _exit(127);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  DefaultSignals();
  bool ok = plan_.directory.empty() || chdir(plan_.directory.c_str()) == 0;
  const int standard[] = {plan_.in, plan_.out, plan_.err};
  for (int i = 0; i < 3; i++)
    ok = ok && (standard[i] < 0 || dup2(standard[i], i) >= 0);
  for (const auto &[ours, its] : plan_.others)
    ok = ok && (ours == its ? fcntl(its, F_SETFD, 0) >= 0 : dup2(ours, its) >= 0);
  if (ok)
    execve(plan_.path.c_str(), arguments_.data(), environment_.data());
  const int error = errno;
  (void)!write(report, &error, sizeof(error));
  _exit(127);
}

int ProgramStart::Failed(int report) {
  int error = 0;
  return read(report, &error, sizeof(error)) == ssize_t(sizeof(error)) ? error : 0;
}

Failure NoProcess(int error) {
  return Failure(std::string("no process can be started: ") + strerror(error) +
                 ". Raise the limit of processes: ulimit -u");
}

Failure CannotStart(const std::string &path, int error) {
  return Failure("cannot start " + path + ": " + strerror(error));
}

void CloseAllBut(int one, int other) {
  const unsigned low = unsigned(std::min(one, other)), high = unsigned(std::max(one, other));
  if (low > 0)
    close_range(0, low - 1, 0);
  if (high > low + 1)
    close_range(low + 1, high - 1, 0);
  close_range(high + 1, ~0u, 0);
}

void DefaultSignals() {
  for (int number : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ})
    signal(number, SIG_DFL);
}

pid_t Spawn(const SpawnPlan &plan) {
  const ProgramStart start(plan);
  Pipe report;
  const pid_t parent = getpid();
  const pid_t process = fork();
  if (process == 0)
    start.Become(parent, report.to.Get());
  if (process < 0)
    throw NoProcess(errno);
  if (plan.apart)
    setpgid(process, process); // whoever comes first
  report.to.Close();
  if (const int error = ProgramStart::Failed(report.from.Get())) {
    waitpid(process, nullptr, 0);
    throw CannotStart(plan.path, error);
  }
  return process;
}

Ended::How AwaitReadable(int descriptor, const WaitLimits &limits) {
  RunningTime time;
  const double limit = limits.seconds > 0 ? limits.seconds : HUGE_VAL;
  while (true) {
    pollfd waits[2] = {{descriptor, POLLIN, 0}, {limits.stop, POLLIN, 0}};
    poll(waits, limits.stop >= 0 ? 2 : 1, time.Wait(limit));
    if (waits[0].revents)
      return Ended::How::kExited;
    if (waits[1].revents)
      return Ended::How::kInterrupted;
    if (time.Look() >= limit || (limits.meanwhile && limits.meanwhile()))
      return Ended::How::kTimedOut;
  }
}

void SetStatus(int status, Ended *ended) {
  ended->how = WIFSIGNALED(status) ? Ended::How::kSignalled : Ended::How::kExited;
  ended->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

Ended Await(pid_t process, const WaitLimits &limits) {
  Ended ended;
  const Descriptor end = ProcessDescriptor(process);
  ended.how = end ? AwaitReadable(end.Get(), limits) : Ended::How::kExited;
  ended.waited = ended.how != Ended::How::kExited && Sleeps(process);
  // Before it is waited for, so that the number is still its own.
  kill(-process, SIGKILL);
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  if (ended.how == Ended::How::kExited)
    SetStatus(status, &ended);
  return ended;
}

} // namespace heddle::hunt
