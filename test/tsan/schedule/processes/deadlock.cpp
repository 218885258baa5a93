// A deadlock across two processes is one, and reported with the stacks of both. All end.
// RUN: %clangxx_heddle -O0 %s -o %t
// RUN: env TSAN_OPTIONS="schedule=roundrobin processes=together" not %t 2>&1 | %FileCheck %s
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "heddle_test.h"

struct Shared {
  pthread_mutex_t mutexes[2];
  pthread_barrier_t barrier;
};
static Shared *shared;

static void LockFirst(int first) { pthread_mutex_lock(&shared->mutexes[first]); }
static void LockSecond(int second) { pthread_mutex_lock(&shared->mutexes[second]); }

static void Run(int first) {
  LockFirst(first);
  pthread_barrier_wait(&shared->barrier);
  LockSecond(1 - first);
}

int main() {
  shared = static_cast<Shared *>(
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  pthread_mutexattr_t mutex;
  pthread_mutexattr_init(&mutex);
  pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&shared->mutexes[0], &mutex);
  pthread_mutex_init(&shared->mutexes[1], &mutex);
  pthread_barrierattr_t barrier;
  pthread_barrierattr_init(&barrier);
  pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED);
  pthread_barrier_init(&shared->barrier, &barrier, 2);
  if (fork() == 0) {
    Run(1);
    _exit(0);
  }
  Run(0);
  puts("no deadlock");
}
// CHECK-NOT: no deadlock
// CHECK: WARNING: ThreadSanitizer: deadlock (pid=
// CHECK: waits for mutex in shared memory, at offset {{.*}}, held by {{thread [01] of process [0-9]+}}
// CHECK: LockSecond
// CHECK: In process
// CHECK: waits for mutex in shared memory, at offset {{.*}}, held by {{thread [01] of process [0-9]+}}
// CHECK: LockSecond
// CHECK: SUMMARY: ThreadSanitizer: deadlock
