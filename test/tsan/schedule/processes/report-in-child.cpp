// A report may be made in a child that has been forked and is not in the schedule yet: here of the
// memory that libc allocates in a fork within a handler. What finds its symbols is not a member.
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS="schedule=random seed=5 processes=together exitcode=0" %t 2>&1 | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=queue processes=together exitcode=0" %t 2>&1 | %FileCheck %s
// CHECK: all have ended
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "heddle_test.h"

static sem_t *semaphore;
static volatile pid_t second;

static void Handle(int) {
  if (second)
    return;
  second = fork();
  if (second == 0) {
    sem_post(semaphore);
    _exit(0);
  }
}

int main() {
  semaphore = static_cast<sem_t *>(
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  sem_init(semaphore, 1, 0);
  sigset_t children, before;
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  sigprocmask(SIG_BLOCK, &children, &before);
  signal(SIGCHLD, Handle);
  const pid_t first = fork();
  if (first == 0)
    _exit(0);
  sigsuspend(&before);
  while (sem_wait(semaphore) != 0) {
  }
  int status;
  EXPECT(waitpid(first, &status, 0) == first && status == 0);
  while (waitpid(second, &status, 0) != second) {
  }
  EXPECT(status == 0);
  puts("all have ended");
}
