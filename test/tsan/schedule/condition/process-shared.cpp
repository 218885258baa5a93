// A mutex and a condition variable that are shared with another process: waiting for
// either is no deadlock.
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS="schedule=random seed=1" %t | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=queue seed=1" %t | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=pos seed=1" %t | %FileCheck %s
// CHECK: the child has signalled
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "heddle_test.h"

struct Shared {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  bool flag, waits;
};

int main() {
  void *memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto *shared = static_cast<Shared *>(memory);
  pthread_mutexattr_t mutex_attributes;
  pthread_mutexattr_init(&mutex_attributes);
  pthread_mutexattr_setpshared(&mutex_attributes, PTHREAD_PROCESS_SHARED);
  EXPECT(pthread_mutex_init(&shared->mutex, &mutex_attributes) == 0);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  EXPECT(pthread_cond_init(&shared->condition, &attributes) == 0);
  pthread_mutex_lock(&shared->mutex);
  if (fork() == 0) {
    pthread_mutex_lock(&shared->mutex);
    EXPECT(shared->waits);
    shared->flag = true;
    pthread_cond_signal(&shared->condition);
    pthread_mutex_unlock(&shared->mutex);
    _exit(0);
  }
  shared->waits = true;
  while (!shared->flag)
    pthread_cond_wait(&shared->condition, &shared->mutex);
  pthread_mutex_unlock(&shared->mutex);
  puts("the child has signalled");
  wait(nullptr);
}
