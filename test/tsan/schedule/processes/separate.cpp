// Processes that have schedules of their own and share memory: who waits for another process waits for
// the system, and neither a spin lock that another has nor a long loop is reported.
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS="schedule=random seed=1 livelock_ticks=1000" %t | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=pos seed=1 livelock_ticks=1000" %t | %FileCheck %s
// CHECK: no report
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "heddle_test.h"

struct Shared {
  pthread_spinlock_t spin;
  atomic<int> steps, looks;
};

int main() {
  auto *shared = static_cast<Shared *>(
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  pthread_spin_init(&shared->spin, PTHREAD_PROCESS_SHARED);
  pthread_spin_lock(&shared->spin);
  const pid_t child = fork();
  if (child == 0) {
    // Until it has really waited, for longer than a livelock takes to be reported.
    shared->steps = 1;
    while (shared->steps.load() < 2)
      shared->looks.load() < 10000 ? (void)shared->looks++ : (void)sched_yield();
    pthread_spin_lock(&shared->spin);
    pthread_spin_unlock(&shared->spin);
    _exit(0);
  }
  while (shared->looks.load() < 10000)
    sched_yield();
  shared->steps = 2;
  pthread_spin_unlock(&shared->spin);
  int status;
  EXPECT(waitpid(child, &status, 0) == child && status == 0);
  puts("no report");
}
