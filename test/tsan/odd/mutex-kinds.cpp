// Mutexes of many kinds, used by three threads and more: robust ones whose owners end with them,
// while others wait for the mutex or for a condition variable, one that nobody repairs, and such as
// inherit priorities. What a dead owner has done is seen by the next: no race.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %six_modes %t | %FileCheck %s
// RUN: %record_and_play --seeds 10 %t | %FileCheck %s
// CHECK: ended: 4 owners, 12 rounds each
#include "heddle_test.h"
#include <errno.h>

enum { kThreads = 3, kRounds = 12 };

struct Kind {
  int type, robust, protocol;
};
static const Kind kinds[] = {
    {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST, PTHREAD_PRIO_NONE},
    {PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_ROBUST, PTHREAD_PRIO_INHERIT},
    {PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ROBUST, PTHREAD_PRIO_NONE},
    {PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_INHERIT},
    {PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_INHERIT},
};
enum { kKinds = sizeof(kinds) / sizeof(*kinds) };

static pthread_mutex_t mutexes[kKinds], dying, lost, waited_for;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int counters[kKinds], owners_died, turn, unrecoverable;
static bool begun;

static void Init(pthread_mutex_t *mutex, const Kind &kind) {
  pthread_mutexattr_t attributes;
  EXPECT(!pthread_mutexattr_init(&attributes));
  EXPECT(!pthread_mutexattr_settype(&attributes, kind.type));
  EXPECT(!pthread_mutexattr_setrobust(&attributes, kind.robust));
  EXPECT(!pthread_mutexattr_setprotocol(&attributes, kind.protocol));
  EXPECT(!pthread_mutex_init(mutex, &attributes));
}

static void Count(int i) {
  EXPECT(!pthread_mutex_lock(&mutexes[i]));
  const int again = pthread_mutex_lock(&mutexes[i]); // that of type normal would wait for ever
  if (kinds[i].type == PTHREAD_MUTEX_RECURSIVE)
    EXPECT(!again && !pthread_mutex_unlock(&mutexes[i]));
  else
    EXPECT(again == EDEADLK);
  counters[i]++;
  EXPECT(!pthread_mutex_unlock(&mutexes[i]));
}

// Each owner but the last ends with it, and the next finds out, whether it waits or comes later.
static void *Die(void *) {
  const int result = pthread_mutex_lock(&dying);
  EXPECT(result == (owners_died ? EOWNERDEAD : 0));
  if (result)
    EXPECT(!pthread_mutex_consistent(&dying));
  owners_died++;
  return nullptr;
}

// The first ends with it, the next does not repair it, and nobody gets it any more.
static void *Lose(void *) {
  const int result = pthread_mutex_lock(&lost);
  EXPECT(!result || result == EOWNERDEAD || result == ENOTRECOVERABLE);
  if (result == EOWNERDEAD)
    EXPECT(!pthread_mutex_unlock(&lost));
  if (result == ENOTRECOVERABLE)
    __atomic_fetch_add(&unrecoverable, 1, __ATOMIC_RELAXED);
  return nullptr;
}

// Some wait for a condition with a mutex whose owner ends when it has signalled it.
static void *WaitFor(void *) {
  int result = pthread_mutex_lock(&waited_for);
  while (!begun && !result)
    result = pthread_cond_wait(&condition, &waited_for);
  EXPECT(!result || result == EOWNERDEAD);
  if (result)
    EXPECT(!pthread_mutex_consistent(&waited_for));
  EXPECT(!pthread_mutex_unlock(&waited_for));
  return nullptr;
}
static void *Signal(void *) {
  EXPECT(!pthread_mutex_lock(&waited_for));
  begun = true;
  EXPECT(!pthread_cond_broadcast(&condition));
  return nullptr;
}

// They take turns, and use all in between.
static void *Use(void *number) {
  const int own = int(long(number));
  for (int round = 0; round < kRounds; round++) {
    for (int i = 1; i < kKinds; i++)
      Count(i);
    EXPECT(!pthread_mutex_lock(&mutexes[0]));
    while (turn % kThreads != own)
      EXPECT(!pthread_cond_wait(&condition, &mutexes[0]));
    turn++;
    EXPECT(!pthread_cond_broadcast(&condition));
    EXPECT(!pthread_mutex_unlock(&mutexes[0]));
  }
  return nullptr;
}

template <class Function> static void Threads(int count, Function function) {
  pthread_t threads[8];
  for (int i = 0; i < count; i++)
    EXPECT(!pthread_create(&threads[i], nullptr, function(i), reinterpret_cast<void *>(i)));
  for (int i = 0; i < count; i++)
    EXPECT(!pthread_join(threads[i], nullptr));
}

int main() {
  for (int i = 0; i < kKinds; i++)
    Init(&mutexes[i], kinds[i]);
  Threads(kThreads, [](int) { return Use; });
  for (int i = 1; i < kKinds; i++)
    EXPECT(counters[i] == kThreads * kRounds);
  Init(&dying, kinds[1]);
  Init(&lost, kinds[0]);
  Init(&waited_for, kinds[2]);
  Threads(4, [](int) { return Die; });
  EXPECT(pthread_mutex_lock(&dying) == EOWNERDEAD && owners_died == 4);
  Threads(4, [](int) { return Lose; });
  EXPECT(unrecoverable == 2);
  Threads(kThreads, [](int i) { return i ? WaitFor : Signal; });
  printf("ended: %d owners, %d rounds each\n", owners_died, kRounds);
}
