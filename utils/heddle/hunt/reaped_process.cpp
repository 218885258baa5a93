#include "reaped_process.h"

#include "failure.h"
#include "process_status.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <iterator>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle::hunt {
namespace {

// What the reaper says first, and what it says last.
struct FirstWord {
  pid_t program;
  int error; // if it could not be forked
};
struct LastWord {
  int status;
  unsigned left;
  char name[16]; // of one of them, as the system has it
};

// As many rounds as it takes until processes that start others are gone. One that starts them
// faster than they can be ended is left alone sooner or later.
constexpr int kRounds = 100;

//===-- In the reaper, which may call nothing but the system --------------===//

// No path and no name is longer than this.
struct ProcessPath {
  ProcessPath(pid_t process, const char *file) {
    char *end = text;
    const auto add = [&](const char *part) { end = stpcpy(end, part); };
    add("/proc/");
    end = std::to_chars(end, std::end(text), process).ptr;
    add(file);
  }
  char text[64];
};

// Returns how many bytes.
size_t ReadStart(const char *path, char *buffer, size_t size) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return 0;
  const ssize_t got = read(file, buffer, size);
  close(file);
  return got > 0 ? size_t(got) : 0;
}

// Some of them, if there are many.
template <class Each> void ForEachChild(Each each) {
  char text[4096];
  const char *const end = text + ReadStart("/proc/thread-self/children", text, sizeof(text));
  for (const char *at = text; at < end;) {
    pid_t child = 0;
    const std::from_chars_result number = std::from_chars(at, end, child);
    if (number.ptr == end || number.ec != std::errc())
      return; // each number is followed by a blank, unless it is cut off
    each(child);
    at = number.ptr + 1;
  }
}

// Those in the program's group have been killed already, and are not counted.
void EndLeftBehind(pid_t group, LastWord *word) {
  for (int round = 0; round < kRounds; round++) {
    bool any = false;
    ForEachChild([&](pid_t child) {
      any = true;
      if (waitpid(child, nullptr, WNOHANG) == child)
        return;
      if (getpgid(child) != group) {
        word->left++;
        char name[sizeof(word->name)];
        const size_t size = ReadStart(ProcessPath(child, "/comm").text, name, sizeof(name));
        if (size)
          std::copy(name, name + size - 1, word->name); // it ends in a new line
      }
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0); // its own children are ours now
    });
    if (!any)
      return;
  }
}

// Of what the program has left and has ended by itself.
void WaitForEnded(pid_t program) {
  siginfo_t info;
  while (info.si_pid = 0, !waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid &&
                              info.si_pid != program)
    waitpid(info.si_pid, nullptr, 0);
}

[[noreturn]] void Reap(const ProgramStart &start, ReapedProcess::Lasts lasts, int leash, int word,
                       int report) {
  setpgid(0, 0); // a Ctrl-C is the hunt's alone
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t reaper = getpid();
  // A program may tell its parent something by a signal, which would end this process and, with it,
  // the program.
  sigset_t all_but_children, before;
  sigfillset(&all_but_children);
  sigdelset(&all_but_children, SIGCHLD);
  sigprocmask(SIG_SETMASK, &all_but_children, &before);
  FirstWord first = {_Fork(), errno};
  if (first.program == 0) {
    sigprocmask(SIG_SETMASK, &before, nullptr);
    start.Become(reaper, report);
  }
  setpgid(first.program, first.program); // whoever comes first
  signal(SIGCHLD, [](int) {});           // poll() returns
  // Locks and sockets of the hunt among them.
  CloseAllBut(leash, word);
  if (write(word, &first, sizeof(first)) != sizeof(first) || first.program < 0)
    _exit(1);
  const bool waits = lasts == ReapedProcess::Lasts::kAsLongAsTheProgram;
  pollfd ends[] = {{leash, POLLIN, 0},
                   {waits ? ProcessDescriptor(first.program).Release() : -1, POLLIN, 0}};
  while (poll(ends, 2, -1) < 0 && errno == EINTR)
    WaitForEnded(first.program);
  LastWord last = {};
  kill(-first.program, SIGKILL); // before it is waited for, so that the number is still its own
  while (waitpid(first.program, &last.status, 0) < 0 && errno == EINTR) {
  }
  signal(SIGCHLD, SIG_DFL);
  EndLeftBehind(first.program, &last);
  (void)!write(word, &last, sizeof(last));
  _exit(0);
}

//===-- In the hunt -------------------------------------------------------===//

// The reaper is the parent that the program sees, and a program may stop its parent.
constexpr int kResumeMilliseconds = 100;

// False if the other end is closed before all of it has come.
bool ReadWord(int from, pid_t reaper, void *word, size_t size) {
  pollfd end = {from, POLLIN, 0};
  do
    kill(reaper, SIGCONT);
  while (poll(&end, 1, kResumeMilliseconds) <= 0);
  ssize_t got;
  do
    got = read(from, word, size);
  while (got < 0 && errno == EINTR);
  return got == ssize_t(size);
}

} // namespace

ReapedProcess::ReapedProcess(const SpawnPlan &plan, Lasts lasts, LeftBehind *left) : left_(left) {
  const ProgramStart start(plan);
  Pipe leash, word, report;
  reaper_ = fork();
  if (reaper_ == 0)
    Reap(start, lasts, leash.from.Get(), word.to.Get(), report.to.Get());
  if (reaper_ < 0)
    throw NoProcess(errno);
  leash_ = std::move(leash.to);
  word_ = std::move(word.from);
  word.to.Close();
  report.to.Close();
  FirstWord first = {-1, ECHILD};
  const bool said = ReadWord(word_.Get(), reaper_, &first, sizeof(first));
  const int error = start.Failed(report.from.Get());
  if (said && first.program > 0 && !error) {
    program_ = first.program;
    return;
  }
  End();
  if (error)
    throw CannotStart(plan.path, error);
  throw NoProcess(first.error);
}

Ended ReapedProcess::Await(const WaitLimits &limits) {
  Ended ended;
  WaitLimits all = limits;
  all.meanwhile = [&] {
    kill(reaper_, SIGCONT);
    return limits.meanwhile && limits.meanwhile();
  };
  ended.how = AwaitReadable(word_.Get(), all);
  ended.waited = ended.how != Ended::How::kExited && Sleeps(program_);
  const int status = End();
  if (ended.how == Ended::How::kExited)
    SetStatus(status, &ended);
  return ended;
}

int ReapedProcess::End() {
  if (!reaper_)
    return 0;
  leash_.Close();
  LastWord last = {};
  // A reaper that was killed has taken the program along.
  if (!ReadWord(word_.Get(), reaper_, &last, sizeof(last)))
    last.status = SIGKILL;
  while (waitpid(reaper_, nullptr, 0) < 0 && errno == EINTR) {
  }
  reaper_ = 0;
  if (left_)
    left_->Add(last.left, std::string(last.name, strnlen(last.name, sizeof(last.name))));
  return last.status;
}

} // namespace heddle::hunt
