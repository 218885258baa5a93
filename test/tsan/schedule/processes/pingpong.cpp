// Processes that share memory have one schedule: atomics, semaphores, mutexes, condition variables,
// barriers, read-write locks, spin locks and futexes are turns of it, and the same seed gives the same
// trace, of all processes.
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS="schedule=random seed=7 processes=together schedule_trace=%t.1" %t | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=random seed=7 processes=together schedule_trace=%t.2" %t | %FileCheck %s
// RUN: diff %t.1 %t.2
// RUN: env TSAN_OPTIONS="schedule=pct seed=7 processes=together schedule_trace=%t.1" %t | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=pct seed=7 processes=together schedule_trace=%t.2" %t | %FileCheck %s
// RUN: diff %t.1 %t.2
// RUN: env TSAN_OPTIONS="schedule=pos seed=7 processes=together schedule_trace=%t.1" %t | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=pos seed=7 processes=together schedule_trace=%t.2" %t | %FileCheck %s
// RUN: diff %t.1 %t.2
// RUN: env TSAN_OPTIONS="schedule=queue processes=together" %t | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=random seed=3" %t | %FileCheck %s
// CHECK: all 3 processes: 60 rounds
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "heddle_test.h"

constexpr int kProcesses = 3, kRounds = 20;

struct Shared {
  atomic<int> turn;
  atomic<int> rounds;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  int value;
  sem_t semaphore;
  pthread_barrier_t barrier;
  pthread_rwlock_t rwlock;
  pthread_spinlock_t spin;
  int futex;
};
static Shared *shared;

static void Init() {
  void *memory =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  EXPECT(memory != MAP_FAILED);
  shared = static_cast<Shared *>(memory);
  pthread_mutexattr_t mutex;
  pthread_mutexattr_init(&mutex);
  pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&shared->mutex, &mutex);
  pthread_condattr_t condition;
  pthread_condattr_init(&condition);
  pthread_condattr_setpshared(&condition, PTHREAD_PROCESS_SHARED);
  pthread_cond_init(&shared->changed, &condition);
  pthread_barrierattr_t barrier;
  pthread_barrierattr_init(&barrier);
  pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED);
  pthread_barrier_init(&shared->barrier, &barrier, kProcesses);
  pthread_rwlockattr_t rwlock;
  pthread_rwlockattr_init(&rwlock);
  pthread_rwlockattr_setpshared(&rwlock, PTHREAD_PROCESS_SHARED);
  pthread_rwlock_init(&shared->rwlock, &rwlock);
  pthread_spin_init(&shared->spin, PTHREAD_PROCESS_SHARED);
  EXPECT(sem_init(&shared->semaphore, 1, 1) == 0);
}

static void Play(int self) {
  pthread_barrier_wait(&shared->barrier);
  for (int i = 0; i < kRounds; i++) {
    while (shared->turn.load() % kProcesses != self)
      sched_yield();
    shared->rounds++;
    shared->turn++;
    sem_wait(&shared->semaphore);
    const int before = shared->value;
    pthread_rwlock_wrlock(&shared->rwlock);
    pthread_spin_lock(&shared->spin);
    shared->value = before + 1;
    pthread_spin_unlock(&shared->spin);
    pthread_rwlock_unlock(&shared->rwlock);
    sem_post(&shared->semaphore);
  }
  pthread_mutex_lock(&shared->mutex);
  shared->futex++;
  pthread_cond_broadcast(&shared->changed);
  while (shared->futex < kProcesses)
    pthread_cond_wait(&shared->changed, &shared->mutex);
  pthread_mutex_unlock(&shared->mutex);
  pthread_barrier_wait(&shared->barrier);
  // The first waits for the two others by a futex.
  auto *word = reinterpret_cast<atomic<int> *>(&shared->futex);
  if (self) {
    word->fetch_add(1);
    syscall(SYS_futex, word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
    return;
  }
  for (int now; (now = word->load()) < 2 * kProcesses - 1;)
    syscall(SYS_futex, word, FUTEX_WAIT, now, nullptr, nullptr, 0);
}

int main() {
  Init();
  pid_t children[kProcesses];
  for (int i = 1; i < kProcesses; i++) {
    children[i] = fork();
    EXPECT(children[i] >= 0);
    if (children[i] == 0) {
      Play(i);
      _exit(i);
    }
  }
  Play(0);
  for (int i = 1; i < kProcesses; i++) {
    int status;
    EXPECT(waitpid(children[i], &status, 0) == children[i] && WEXITSTATUS(status) == i);
  }
  EXPECT(shared->value == kProcesses * kRounds);
  printf("all %d processes: %d rounds\n", kProcesses, shared->rounds.load());
}
