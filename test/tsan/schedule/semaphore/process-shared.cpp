// A semaphore that another process posts to: waiting for it is no deadlock.
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS="schedule=random seed=1" %t | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=pos seed=1" %t | %FileCheck %s
// CHECK: the child has posted
#include <errno.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "heddle_test.h"

int main() {
  void *memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto *semaphores = static_cast<sem_t *>(memory);
  EXPECT(sem_init(&semaphores[0], 1, 0) == 0);
  EXPECT(sem_init(&semaphores[1], 1, 0) == 0);
  if (fork() == 0) {
    EXPECT(sem_wait(&semaphores[0]) == 0);
    EXPECT(sem_post(&semaphores[1]) == 0);
    _exit(0);
  }
  EXPECT(sem_post(&semaphores[0]) == 0);
  EXPECT(sem_wait(&semaphores[1]) == 0);
  puts("the child has posted");
  wait(nullptr);

  timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  EXPECT(sem_timedwait(&semaphores[1], &limit) == -1 && errno == ETIMEDOUT);
}
