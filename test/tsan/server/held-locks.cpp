// Locks that the program holds when it creates its first thread are its own in each execution of a
// fork server, which has a thread of another number: they can be unlocked, locked once more, and
// tell who has them.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %fork_server "schedule=random" %t -- seed=1 seed=2 | %FileCheck %s
//
// CHECK: ready
// CHECK-NEXT: all as it should be
// CHECK-NEXT: ended 0
// CHECK-NEXT: all as it should be
// CHECK-NEXT: ended 0
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <thread>

static void Expect(int got, int wanted, int line) {
  if (got == wanted)
    return;
  printf("line %d: %d, not %d\n", line, got, wanted);
  exit(1);
}
#define EXPECT(call, wanted) Expect(call, wanted, __LINE__)

struct Mutex {
  explicit Mutex(int type, int protocol = PTHREAD_PRIO_NONE, int robust = PTHREAD_MUTEX_STALLED) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    pthread_mutexattr_setprotocol(&attributes, protocol);
    pthread_mutexattr_setrobust(&attributes, robust);
    pthread_mutex_init(&mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
  }
  pthread_mutex_t mutex;
};

int main() {
  Mutex recursive(PTHREAD_MUTEX_RECURSIVE), checking(PTHREAD_MUTEX_ERRORCHECK),
      inherits(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_INHERIT),
      robust(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_ROBUST),
      unlocked(PTHREAD_MUTEX_ERRORCHECK);
  pthread_rwlock_t written = PTHREAD_RWLOCK_INITIALIZER, read = PTHREAD_RWLOCK_INITIALIZER;
  Mutex *const all[] = {&recursive, &checking, &inherits, &robust};
  for (Mutex *each : all)
    EXPECT(pthread_mutex_lock(&each->mutex), 0);
  EXPECT(pthread_mutex_trylock(&recursive.mutex), 0);
  EXPECT(pthread_mutex_lock(&unlocked.mutex), 0);
  EXPECT(pthread_mutex_unlock(&unlocked.mutex), 0);
  EXPECT(pthread_rwlock_wrlock(&written), 0);
  EXPECT(pthread_rwlock_rdlock(&read), 0);

  std::thread other([&] {
    for (Mutex *each : all)
      EXPECT(pthread_mutex_trylock(&each->mutex), EBUSY);
    EXPECT(pthread_rwlock_tryrdlock(&written), EBUSY);
    EXPECT(pthread_rwlock_trywrlock(&read), EBUSY);
  });
  other.join();

  EXPECT(pthread_mutex_lock(&recursive.mutex), 0);
  for (int i = 0; i < 3; i++)
    EXPECT(pthread_mutex_unlock(&recursive.mutex), 0);
  for (Mutex *each : {&checking, &inherits, &robust}) {
    EXPECT(pthread_mutex_lock(&each->mutex), EDEADLK);
    EXPECT(pthread_mutex_unlock(&each->mutex), 0);
  }
  EXPECT(pthread_rwlock_wrlock(&written), EDEADLK);
  EXPECT(pthread_rwlock_unlock(&written), 0);
  EXPECT(pthread_rwlock_unlock(&read), 0);
  std::thread last([&] {
    for (Mutex *each : all) {
      EXPECT(pthread_mutex_lock(&each->mutex), 0);
      EXPECT(pthread_mutex_unlock(&each->mutex), 0);
    }
    EXPECT(pthread_rwlock_wrlock(&written), 0);
    EXPECT(pthread_rwlock_wrlock(&read), 0);
  });
  last.join();
  puts("all as it should be");
  fflush(stdout);
  _Exit(0);
}
