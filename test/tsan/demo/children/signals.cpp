// Signals between a recorded process and its children: what they handle is in their demos, and one that was killed
// ends in a replay where it was.
//
// RUN: %clangxx_heddle %s -o %t && %record_and_play --times 5 --seeds 3 %t | %FileCheck %s
#include "heddle_test.h"
#include <signal.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static std::atomic<int> handled, from;
static void Handle(int, siginfo_t *info, void *) {
  from = info->si_pid;
  handled++;
}

static void Expect(int signal) {
  struct sigaction action = {};
  action.sa_sigaction = Handle;
  action.sa_flags = SA_SIGINFO;
  EXPECT(!sigaction(signal, &action, nullptr));
}

int main() {
  setvbuf(stdout, nullptr, _IONBF, 0);
  Expect(SIGCHLD);
  Expect(SIGUSR1);
  Expect(SIGTERM);
  // One that handles SIGTERM, and says so by SIGUSR1.
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  EXPECT(!sigprocmask(SIG_BLOCK, &all, nullptr));
  int status = 0, child = fork();
  if (!child) {
    EXPECT(!kill(getppid(), SIGUSR1));
    while (!handled)
      sigsuspend(&none);
    unsigned random = 0;
    EXPECT(getrandom(&random, sizeof(random), 0) == sizeof(random));
    printf("the child has been told by its parent: %d, %u\n", from == getppid(), random);
    _exit(7);
  }
  while (!handled)
    sigsuspend(&none);
  printf("told by its child: %d\n", from == child);
  EXPECT(!kill(child, SIGTERM));
  EXPECT(waitpid(child, &status, 0) == child);
  printf("exit code %d\n", WEXITSTATUS(status));

  // Two that are killed while they wait, by a signal that they do not handle and by SIGKILL.
  for (int signal : {SIGQUIT, SIGKILL}) {
    int ends[2];
    EXPECT(!pipe(ends));
    child = fork();
    if (!child) {
      EXPECT(!sigprocmask(SIG_UNBLOCK, &all, nullptr));
      std::thread thread([&] { EXPECT(write(ends[1], "x", 1) == 1); });
      thread.join();
      for (;;)
        pause();
    }
    char byte = 0;
    EXPECT(read(ends[0], &byte, 1) == 1);
    EXPECT(!kill(child, signal));
    EXPECT(waitpid(child, &status, 0) == child);
    printf("ended by signal %d\n", WTERMSIG(status));
  }
  // One that ends by its own doing.
  child = fork();
  if (!child) {
    EXPECT(!sigprocmask(SIG_UNBLOCK, &all, nullptr));
    raise(SIGALRM);
  }
  EXPECT(waitpid(child, &status, 0) == child);
  printf("ended by signal %d\n", WTERMSIG(status));
}
// CHECK: told by its child: 1
// CHECK: the child has been told by its parent: 1
// CHECK: exit code 7
// CHECK: ended by signal 3
// CHECK: ended by signal 9
// CHECK: ended by signal 14
