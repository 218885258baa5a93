// A tree of processes, three deep, with threads in each: all in one schedule. Children are
// waited for by any of them, daemons go on when their parents have ended, and a process that executes
// another program leaves.
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS="schedule=random seed=5 processes=together schedule_trace=%t.1" %t | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=random seed=5 processes=together schedule_trace=%t.2" %t | %FileCheck %s
// RUN: diff %t.1 %t.2
// RUN: env TSAN_OPTIONS="schedule=pct seed=5 processes=together" %t | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=urw seed=5 processes=together" %t | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=queue processes=together" %t exec | %FileCheck %s --check-prefixes=EXEC,CHECK
// EXEC: another program
// CHECK: 7 processes with 14 threads, and a daemon
#include <errno.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "heddle_test.h"

struct Shared {
  atomic<int> processes, threads;
  sem_t daemon;
};
static Shared *shared;

static void Tree(int depth) {
  shared->processes++;
  std::thread([] { shared->threads++; }).join();
  shared->threads++;
  int children = 0;
  for (; depth < 3 && children < 2; children++) {
    const pid_t child = fork();
    EXPECT(child >= 0);
    if (child == 0) {
      Tree(depth + 1);
      _exit(depth + 1);
    }
  }
  for (; children; children--) {
    int status;
    EXPECT(wait(&status) > 0 && WEXITSTATUS(status) == depth + 1);
  }
  EXPECT(wait(nullptr) < 0 && errno == ECHILD);
}

static void StartDaemon() {
  const pid_t child = fork();
  if (child) {
    int status;
    EXPECT(waitpid(child, &status, 0) == child && status == 0);
    return;
  }
  EXPECT(setsid() > 0);
  if (fork())
    _exit(0);
  sem_post(&shared->daemon);
  _exit(0);
}

int main(int argc, char **) {
  shared = static_cast<Shared *>(
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  EXPECT(sem_init(&shared->daemon, 1, 0) == 0);
  if (argc > 1) {
    const pid_t child = fork();
    if (child == 0) {
      execlp("echo", "echo", "another program", nullptr);
      _exit(1);
    }
    int status;
    EXPECT(waitpid(child, &status, 0) == child && status == 0);
  }
  Tree(1);
  StartDaemon();
  EXPECT(sem_wait(&shared->daemon) == 0);
  printf("%d processes with %d threads, and a daemon\n", shared->processes.load(),
         shared->threads.load());
}
