// Objects that say that processes share them, and that threads of one process want: in memory that
// nobody else can have they are under the schedule, and a replay gives them to the same threads.
// That is private memory, and shared one without a name as long as there is no child. When a child
// comes, threads that wait go on to wait for it.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %record_and_play --seeds 5 %t private | %FileCheck %s
// RUN: %record_and_play --seeds 5 %t shared | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=random seed=1" %t child | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=queue seed=2" %t child | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=pos seed=3" %t child | %FileCheck %s
// CHECK: ended
#include "heddle_test.h"
#include <semaphore.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kThreads = 3, kRounds = 20 };

struct Objects {
  pthread_mutex_t mutex;
  pthread_rwlock_t rwlock;
  pthread_spinlock_t spin_lock;
  pthread_barrier_t barrier, pair;
  pthread_cond_t condition;
  sem_t semaphore, first, second;
  int counters[3], turn;
};
static Objects in_program, *objects;
static char order[3 * kThreads * kRounds + 1];
static atomic<int> next_place;

static void Init() {
  const int shared = PTHREAD_PROCESS_SHARED;
  pthread_mutexattr_t mutex;
  EXPECT(!pthread_mutexattr_init(&mutex) && !pthread_mutexattr_setpshared(&mutex, shared));
  EXPECT(!pthread_mutex_init(&objects->mutex, &mutex));
  pthread_rwlockattr_t rwlock;
  EXPECT(!pthread_rwlockattr_init(&rwlock) && !pthread_rwlockattr_setpshared(&rwlock, shared));
  EXPECT(!pthread_rwlock_init(&objects->rwlock, &rwlock));
  EXPECT(!pthread_spin_init(&objects->spin_lock, shared));
  pthread_barrierattr_t barrier;
  EXPECT(!pthread_barrierattr_init(&barrier) && !pthread_barrierattr_setpshared(&barrier, shared));
  EXPECT(!pthread_barrier_init(&objects->barrier, &barrier, kThreads));
  EXPECT(!pthread_barrier_init(&objects->pair, &barrier, 2));
  pthread_condattr_t condition;
  EXPECT(!pthread_condattr_init(&condition) && !pthread_condattr_setpshared(&condition, shared));
  EXPECT(!pthread_cond_init(&objects->condition, &condition));
  EXPECT(!sem_init(&objects->semaphore, 1, 1) && !sem_init(&objects->first, 1, 0) &&
         !sem_init(&objects->second, 1, 0));
}

static void Got(int own) { order[next_place++] = char('a' + own); }

static void *Use(void *number) {
  const int own = int(long(number));
  for (int round = 0; round < kRounds; round++) {
    EXPECT(!pthread_mutex_lock(&objects->mutex));
    objects->counters[0]++;
    Got(own);
    sched_yield();
    EXPECT(!pthread_mutex_unlock(&objects->mutex));
    EXPECT(!(round % 2 ? pthread_rwlock_wrlock : pthread_rwlock_rdlock)(&objects->rwlock));
    sched_yield();
    if (round % 2)
      objects->counters[1]++;
    EXPECT(!pthread_rwlock_unlock(&objects->rwlock));
    EXPECT(!pthread_spin_lock(&objects->spin_lock));
    sched_yield();
    objects->counters[2]++;
    EXPECT(!pthread_spin_unlock(&objects->spin_lock));
    EXPECT(!sem_wait(&objects->semaphore));
    sched_yield();
    Got(own);
    EXPECT(!sem_post(&objects->semaphore));
    const int result = pthread_barrier_wait(&objects->barrier);
    if (result)
      EXPECT(result == PTHREAD_BARRIER_SERIAL_THREAD);
    if (result)
      Got(own);
  }
  return nullptr;
}

static void *TakeTurns(void *number) {
  const int own = int(long(number));
  EXPECT(!pthread_mutex_lock(&objects->mutex));
  for (int round = 0; round < kRounds; round++) {
    while (objects->turn % kThreads != own)
      EXPECT(!pthread_cond_wait(&objects->condition, &objects->mutex));
    objects->turn++;
    EXPECT(!pthread_cond_broadcast(&objects->condition));
  }
  EXPECT(!pthread_mutex_unlock(&objects->mutex));
  return nullptr;
}

static void Threads(void *(*function)(void *)) {
  pthread_t threads[kThreads];
  for (long i = 0; i < kThreads; i++)
    EXPECT(!pthread_create(&threads[i], nullptr, function, reinterpret_cast<void *>(i)));
  for (pthread_t thread : threads)
    EXPECT(!pthread_join(thread, nullptr));
}

// Threads of the parent that wait when the child is forked.
static atomic<int> waiting;
static void *WaitForTurn(void *) {
  EXPECT(!pthread_mutex_lock(&objects->mutex));
  waiting++;
  while (!objects->turn)
    EXPECT(!pthread_cond_wait(&objects->condition, &objects->mutex));
  EXPECT(!pthread_mutex_unlock(&objects->mutex));
  return nullptr;
}
static void *WaitForPost(void *) {
  waiting++;
  EXPECT(!sem_wait(&objects->first));
  return nullptr;
}
static void *WaitForOther(void *) {
  waiting++;
  pthread_barrier_wait(&objects->pair);
  return nullptr;
}

static void AwaitChild() {
  pthread_t threads[3];
  EXPECT(!pthread_create(&threads[0], nullptr, WaitForTurn, nullptr));
  EXPECT(!pthread_create(&threads[1], nullptr, WaitForPost, nullptr));
  EXPECT(!pthread_create(&threads[2], nullptr, WaitForOther, nullptr));
  while (waiting < 3)
    sched_yield();
  for (int i = 0; i < 100; i++)
    sched_yield();
  EXPECT(!pthread_rwlock_wrlock(&objects->rwlock));
  const pid_t child = fork();
  if (!child) {
    // It is not this process that has it.
    EXPECT(pthread_rwlock_tryrdlock(&objects->rwlock));
    EXPECT(!sem_post(&objects->second));
    EXPECT(!pthread_rwlock_rdlock(&objects->rwlock));
    EXPECT(!pthread_rwlock_unlock(&objects->rwlock));
    EXPECT(!pthread_mutex_lock(&objects->mutex));
    objects->turn = 1;
    EXPECT(!pthread_cond_broadcast(&objects->condition));
    EXPECT(!pthread_mutex_unlock(&objects->mutex));
    EXPECT(!sem_post(&objects->first));
    pthread_barrier_wait(&objects->pair);
    _exit(0);
  }
  EXPECT(!sem_wait(&objects->second));
  EXPECT(!pthread_rwlock_unlock(&objects->rwlock));
  for (pthread_t thread : threads)
    EXPECT(!pthread_join(thread, nullptr));
  int status;
  EXPECT(waitpid(child, &status, 0) == child && status == 0);
}

int main(int, char **arguments) {
  objects = &in_program;
  if (strcmp(arguments[1], "private"))
    objects = static_cast<Objects *>(
        mmap(nullptr, sizeof(Objects), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  Init();
  if (!strcmp(arguments[1], "child")) {
    AwaitChild();
  } else {
    Threads(Use);
    for (int i = 0; i < 3; i++)
      EXPECT(objects->counters[i] == kThreads * kRounds / (i == 1 ? 2 : 1));
    Threads(TakeTurns);
    puts(order);
  }
  puts("ended");
}
