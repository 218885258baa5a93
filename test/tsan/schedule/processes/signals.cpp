// A signal from one member to another is part of the schedule: its handler is called at the same place
// each time, also if the receiver waits for something meanwhile.
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS="schedule=random seed=5 one_at_a_time=1 processes=together schedule_trace=%t.1" %t > %t.out.1
// RUN: env TSAN_OPTIONS="schedule=random seed=5 one_at_a_time=1 processes=together schedule_trace=%t.2" %t > %t.out.2
// RUN: %FileCheck %s < %t.out.1
// RUN: diff %t.1 %t.2
// RUN: diff %t.out.1 %t.out.2
// RUN: env TSAN_OPTIONS="schedule=pos seed=5 processes=together" %t | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=queue processes=together" %t | %FileCheck %s
// CHECK: handled after {{[0-9]+}}
// CHECK: SIGTERM ends a child
#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "heddle_test.h"

struct Shared {
  sem_t ready, never;
  atomic<int> count, seen;
};
static Shared *shared;

static void Handle(int) { shared->seen = shared->count.load(); }

int main() {
  shared = static_cast<Shared *>(
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  sem_init(&shared->ready, 1, 0);
  sem_init(&shared->never, 1, 0);
  shared->seen = -1;
  const pid_t child = fork();
  if (child == 0) {
    struct sigaction action = {};
    action.sa_handler = Handle;
    sigaction(SIGUSR1, &action, nullptr);
    sem_post(&shared->ready);
    while (shared->seen.load() < 0)
      shared->count++;
    sem_post(&shared->ready);
    // And once more, while it waits.
    EXPECT(sem_wait(&shared->never) == -1 && errno == EINTR);
    sem_post(&shared->ready);
    signal(SIGTERM, SIG_DFL);
    for (;;)
      sem_wait(&shared->never);
  }
  sem_wait(&shared->ready);
  EXPECT(kill(child, SIGUSR1) == 0);
  sem_wait(&shared->ready);
  printf("handled after %d\n", shared->seen.load());
  while (sem_trywait(&shared->ready) != 0) {
    EXPECT(kill(child, SIGUSR1) == 0);
    sched_yield();
  }
  EXPECT(kill(child, SIGTERM) == 0);
  int status;
  EXPECT(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
  puts("SIGTERM ends a child");
}
