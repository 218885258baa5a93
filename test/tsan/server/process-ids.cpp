// A program cannot tell an execution of a fork server from a process of its own by the numbers of its
// process, main thread and process group: what it has stored before its first thread still holds, is
// taken by calls, and stands in signals and in what children see.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %fork_server "schedule=random" setsid %t -- seed=1 seed=2 | %FileCheck %s
// RUN: %fork_server "schedule=none" setsid %t -- history_size=0 history_size=0 | %FileCheck %s
// RUN: env TSAN_OPTIONS=schedule=random %t
// RUN: rm -rf %t.findings && heddle hunt -j1 --runs 20 --findings %t.findings %t > %t.hunt 2>&1
// RUN: %FileCheck %s --check-prefix=HUNT < %t.hunt
//
// CHECK: ready
// CHECK-NEXT: as stored
// CHECK-NEXT: ended 0
// CHECK-NEXT: as stored
// CHECK-NEXT: ended 0
// HUNT-NOT: note: {{.*}}server
// HUNT: 20 executions in {{.*}}: nothing found.
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static void Expect(long got, long wanted, int line) {
  if (got == wanted)
    return;
  printf("line %d: %ld, not %ld\n", line, got, wanted);
  exit(1);
}
#define EXPECT(call, wanted) Expect(call, wanted, __LINE__)

static const pid_t process = getpid(), thread = gettid(), parent = getppid(), group = getpgrp(),
                   session = getsid(0);
static volatile sig_atomic_t handled, sender;

static void Handle(int, siginfo_t *info, void *) {
  handled = handled + 1;
  sender = info->si_pid;
}

static void CheckNumbers() {
  EXPECT(getpid(), process);
  EXPECT(syscall(SYS_getpid), process);
  EXPECT(getppid(), parent);
  EXPECT(syscall(SYS_getppid), parent);
  EXPECT(getpgrp(), group);
  EXPECT(getpgid(0), group);
  EXPECT(getpgid(process), group);
  EXPECT(getsid(process), session);
}

static void CheckSignals() {
  int count = handled;
  auto expect_one = [&](int line) {
    pthread_sigmask(SIG_BLOCK, nullptr, nullptr); // ThreadSanitizer may keep a signal until then
    Expect(handled, ++count, line);
    Expect(sender, process, line);
    sender = 0;
  };
  EXPECT(kill(process, SIGUSR1), 0);
  expect_one(__LINE__);
  EXPECT(sigqueue(process, SIGUSR1, sigval()), 0);
  expect_one(__LINE__);
  EXPECT(raise(SIGUSR1), 0);
  expect_one(__LINE__);
  EXPECT(kill(process, 0), 0);
  EXPECT(killpg(group, 0), 0);
  EXPECT(kill(-group, 0), 0);
  EXPECT(tgkill(process, thread, 0), 0);
  EXPECT(syscall(SYS_tgkill, process, thread, 0), 0);
  EXPECT(syscall(SYS_tkill, thread, 0), 0);
  // Blocked, and waited for.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  EXPECT(kill(process, SIGUSR2), 0);
  siginfo_t info;
  EXPECT(sigwaitinfo(&signals, &info), SIGUSR2);
  EXPECT(info.si_pid, process);
}

static void CheckOthers() {
  cpu_set_t set;
  EXPECT(sched_getaffinity(process, sizeof(set), &set), 0);
  EXPECT(sched_setaffinity(thread, sizeof(set), &set), 0);
  EXPECT(sched_getscheduler(process), SCHED_OTHER);
  // Not the server's.
  EXPECT(setpriority(PRIO_PROCESS, u_int(process), getpriority(PRIO_PROCESS, 0) + 1), 0);
  EXPECT(getpriority(PRIO_PROCESS, 0), getpriority(PRIO_PROCESS, u_int(process)));
  rlimit limit = {0, 0}, own;
  EXPECT(prlimit(process, RLIMIT_CORE, &limit, nullptr), 0);
  EXPECT(getrlimit(RLIMIT_CORE, &own), 0);
  EXPECT(own.rlim_cur, 0);
  EXPECT(waitpid(process, nullptr, WNOHANG), -1);
  EXPECT(errno, ECHILD);
}

static void CheckChild() {
  const pid_t child = fork();
  if (!child) {
    const bool good = getppid() == process && getpid() != process && getpgrp() == group &&
                      syscall(SYS_getppid) == process && getpid() == gettid();
    _exit(good ? 7 : 1);
  }
  int status;
  EXPECT(waitpid(-group, &status, 0), child);
  EXPECT(WEXITSTATUS(status), 7);
}

int main() {
  struct sigaction action = {};
  action.sa_sigaction = Handle;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGUSR1, &action, nullptr);
  std::thread([] {
    CheckNumbers();
    EXPECT(gettid() == thread, false);
    EXPECT(gettid(), syscall(SYS_gettid));
    EXPECT(tgkill(process, gettid(), 0), 0);
  }).join();
  CheckNumbers();
  EXPECT(gettid(), thread);
  EXPECT(syscall(SYS_gettid), thread);
  CheckSignals();
  CheckOthers();
  CheckChild();
  puts("as stored");
}
