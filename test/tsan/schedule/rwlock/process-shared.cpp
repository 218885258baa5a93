// Another process holds the lock: that is no deadlock, though nobody here will
// unlock it.
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS="schedule=random seed=1" %t | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=pos seed=1" %t | %FileCheck %s
// CHECK: the child has unlocked
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "heddle_test.h"

int main() {
  void *memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto *lock = static_cast<pthread_rwlock_t *>(memory);
  pthread_rwlockattr_t attributes;
  pthread_rwlockattr_init(&attributes);
  pthread_rwlockattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  EXPECT(pthread_rwlock_init(lock, &attributes) == 0);
  int ready[2], go[2];
  char byte = 0;
  EXPECT(pipe(ready) == 0 && pipe(go) == 0);
  if (fork() == 0) {
    EXPECT(pthread_rwlock_wrlock(lock) == 0);
    EXPECT(write(ready[1], &byte, 1) == 1);
    EXPECT(read(go[0], &byte, 1) == 1);
    EXPECT(pthread_rwlock_unlock(lock) == 0);
    _exit(0);
  }
  EXPECT(read(ready[0], &byte, 1) == 1);
  EXPECT(write(go[1], &byte, 1) == 1);
  EXPECT(pthread_rwlock_rdlock(lock) == 0);
  printf("the child has unlocked\n");
  EXPECT(pthread_rwlock_unlock(lock) == 0);
  wait(nullptr);
}
