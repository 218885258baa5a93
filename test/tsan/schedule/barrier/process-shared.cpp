// A barrier at which another process is met.
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS="schedule=random seed=1" %t | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=pos seed=1" %t | %FileCheck %s
// CHECK: met
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "heddle_test.h"

int main() {
  void *memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto *barrier = static_cast<pthread_barrier_t *>(memory);
  pthread_barrierattr_t attributes;
  pthread_barrierattr_init(&attributes);
  pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  EXPECT(pthread_barrier_init(barrier, &attributes, 2) == 0);
  if (fork() == 0) {
    pthread_barrier_wait(barrier);
    _exit(0);
  }
  pthread_barrier_wait(barrier);
  wait(nullptr);
  puts("met");
}
