// A member is killed by another, with a robust mutex: who waits for it gets it, at once and each time
// at the same place. One that dies by itself is found dead.
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS="schedule=random seed=5 processes=together schedule_trace=%t.1" %t kill | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=random seed=5 processes=together schedule_trace=%t.2" %t kill | %FileCheck %s
// RUN: diff %t.1 %t.2
// RUN: env TSAN_OPTIONS="schedule=random seed=6 processes=together" %t crash | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=pos seed=6 processes=together" %t crash | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=queue processes=together" %t kill | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=random seed=6" %t kill | %FileCheck %s
// CHECK: the owner is dead
// CHECK: killed by signal 9
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "heddle_test.h"

struct Shared {
  pthread_mutex_t mutex;
  sem_t locked, never;
};

int main(int, char **argv) {
  const bool kills = !strcmp(argv[1], "kill");
  auto *shared = static_cast<Shared *>(
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&shared->mutex, &attributes);
  sem_init(&shared->locked, 1, 0);
  sem_init(&shared->never, 1, 0);
  const pid_t owner = fork();
  if (owner == 0) {
    pthread_mutex_lock(&shared->mutex);
    sem_post(&shared->locked);
    if (!kills)
      syscall(SYS_kill, getpid(), SIGKILL);
    sem_wait(&shared->never);
    _exit(1);
  }
  sem_wait(&shared->locked);
  const pid_t waiter = fork();
  if (waiter == 0) {
    EXPECT(pthread_mutex_lock(&shared->mutex) == EOWNERDEAD);
    EXPECT(pthread_mutex_consistent(&shared->mutex) == 0);
    pthread_mutex_unlock(&shared->mutex);
    puts("the owner is dead");
    fflush(stdout);
    _exit(0);
  }
  if (kills)
    EXPECT(kill(owner, SIGKILL) == 0);
  int status;
  EXPECT(waitpid(waiter, &status, 0) == waiter && status == 0);
  EXPECT(waitpid(owner, &status, 0) == owner && WIFSIGNALED(status));
  printf("killed by signal %d\n", WTERMSIG(status));
}
