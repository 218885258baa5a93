// A lock that another process holds is waited for away from the schedule. A recording must not
// count the thread as back before it has the lock: the others would wait for it, and it for its
// owner.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS="schedule=random seed=1 record_demo=%t.demo" %t | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=queue record_demo=%t.demo" %t rwlock | %FileCheck %s
// CHECK: 60
#include "heddle_test.h"
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

struct Shared {
  pthread_mutex_t mutex;
  pthread_rwlock_t rwlock;
};
static Shared *shared;
static bool uses_rwlock;
static int counter;

static void Lock() {
  EXPECT(
      !(uses_rwlock ? pthread_rwlock_wrlock(&shared->rwlock) : pthread_mutex_lock(&shared->mutex)));
}
static void Unlock() {
  EXPECT(!(uses_rwlock ? pthread_rwlock_unlock(&shared->rwlock)
                       : pthread_mutex_unlock(&shared->mutex)));
}

int main(int count, char **) {
  uses_rwlock = count > 1;
  shared = static_cast<Shared *>(
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  pthread_mutexattr_t attributes;
  EXPECT(!pthread_mutexattr_init(&attributes));
  EXPECT(!pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED));
  EXPECT(!pthread_mutex_init(&shared->mutex, &attributes));
  pthread_rwlockattr_t rwlock_attributes;
  EXPECT(!pthread_rwlockattr_init(&rwlock_attributes));
  EXPECT(!pthread_rwlockattr_setpshared(&rwlock_attributes, PTHREAD_PROCESS_SHARED));
  EXPECT(!pthread_rwlock_init(&shared->rwlock, &rwlock_attributes));
  int ready[2], go[2];
  char byte = 0;
  EXPECT(!pipe(ready) && !pipe(go));
  if (!fork()) {
    Lock();
    EXPECT(write(ready[1], &byte, 1) == 1 && read(go[0], &byte, 1) == 1);
    Unlock();
    _exit(0);
  }
  EXPECT(read(ready[0], &byte, 1) == 1);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++)
    threads.emplace_back([&] {
      for (int round = 0; round < 20; round++) {
        Lock();
        counter++;
        Unlock();
      }
    });
  for (int i = 0; i < 20; i++)
    sched_yield();
  EXPECT(write(go[1], &byte, 1) == 1);
  for (std::thread &thread : threads)
    thread.join();
  wait(nullptr);
  printf("%d\n", counter);
}
