// A thread that waits, for whatever it is, handles a signal that another sends it before the sender
// waits for its end: the handler is what lets it go on. Otherwise this would look like a deadlock.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %every_schedule %t semaphore
// RUN: %every_schedule %t condition
// RUN: %every_schedule %t join
// RUN: %every_schedule %t barrier
// RUN: %every_schedule %t futex
// RUN: %every_schedule --seeds 2 %t spin
// RUN: %every_schedule --seeds 2 %t mutex
// RUN: %every_schedule --seeds 2 %t rwlock
// RUN: %every_schedule --seeds 2 %t once
#include "heddle_test.h"
#include <linux/futex.h>
#include <semaphore.h>
#include <signal.h>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

static std::string kind;
static sem_t semaphore, held;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spinlock;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static atomic<int> word, handled;

static void Handle(int) {
  handled++;
  sem_post(&semaphore);
}

// Holds what the other waits for until the other's handler has run.
static void *Hold(void *) {
  if (kind == "mutex")
    pthread_mutex_lock(&mutex);
  if (kind == "rwlock")
    pthread_rwlock_wrlock(&rwlock);
  if (kind == "spin")
    pthread_spin_lock(&spinlock);
  sem_post(&held);
  while (sem_wait(&semaphore)) {
  }
  if (kind == "mutex")
    pthread_mutex_unlock(&mutex);
  if (kind == "rwlock")
    pthread_rwlock_unlock(&rwlock);
  if (kind == "spin")
    pthread_spin_unlock(&spinlock);
  if (kind == "barrier")
    pthread_barrier_wait(&barrier);
  return nullptr;
}
static void *HoldOnce(void *) {
  pthread_once(&once, [] { Hold(nullptr); });
  return nullptr;
}

static void *Wait(void *holder) {
  if (kind == "semaphore") {
    while (sem_wait(&semaphore)) {
    }
  } else if (kind == "condition") {
    pthread_mutex_lock(&mutex);
    while (!handled)
      pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
  } else if (kind == "futex") {
    while (!handled)
      syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, nullptr, nullptr, 0);
  } else if (kind == "join") {
    pthread_join(*static_cast<pthread_t *>(holder), nullptr);
  } else if (kind == "barrier") {
    pthread_barrier_wait(&barrier);
  } else if (kind == "mutex") {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  } else if (kind == "rwlock") {
    pthread_rwlock_rdlock(&rwlock);
    pthread_rwlock_unlock(&rwlock);
  } else if (kind == "spin") {
    pthread_spin_lock(&spinlock);
    pthread_spin_unlock(&spinlock);
  } else if (kind == "once") {
    pthread_once(&once, [] {});
  }
  return nullptr;
}

int main(int, char **argv) {
  kind = argv[1];
  sem_init(&semaphore, 0, 0);
  sem_init(&held, 0, 0);
  pthread_spin_init(&spinlock, 0);
  pthread_barrier_init(&barrier, nullptr, 2);
  struct sigaction action = {};
  action.sa_handler = Handle;
  EXPECT(!sigaction(SIGUSR1, &action, nullptr));
  const bool needs_holder = kind != "semaphore" && kind != "condition" && kind != "futex";
  static pthread_t waiter, holder;
  if (needs_holder) {
    pthread_create(&holder, nullptr, kind == "once" ? HoldOnce : Hold, nullptr);
    sem_wait(&held);
  }
  pthread_create(&waiter, nullptr, Wait, &holder);
  EXPECT(!pthread_kill(waiter, SIGUSR1));
  pthread_join(waiter, nullptr);
  EXPECT(handled == 1);
  if (needs_holder && kind != "join")
    pthread_join(holder, nullptr);
}
