// A robust mutex whose owner ends with it: when it has ended in the schedule, the next to lock it learns
// of that, at once, and also who has begun to wait for it before.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule --seeds 5 %t
#include "heddle_test.h"
#include <errno.h>
#include <thread>

static pthread_mutex_t mutex;
static atomic<bool> locked, waits;

static void Die(bool until_somebody_waits) {
  pthread_mutex_lock(&mutex);
  locked = true;
  while (until_somebody_waits && !waits)
    std::this_thread::yield();
}

static void Repair(int result) {
  EXPECT(result == EOWNERDEAD);
  EXPECT(!pthread_mutex_consistent(&mutex));
  EXPECT(!pthread_mutex_unlock(&mutex));
  EXPECT(!pthread_mutex_lock(&mutex));
  EXPECT(!pthread_mutex_unlock(&mutex));
}

int main() {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);

  std::thread first(Die, false);
  first.join();
  Repair(pthread_mutex_trylock(&mutex));

  std::thread second(Die, false);
  second.join();
  Repair(pthread_mutex_lock(&mutex));

  // Has begun to wait, or not, when the owner ends; and that takes a while in the system.
  locked = false;
  std::thread third(Die, true);
  while (!locked)
    std::this_thread::yield();
  EXPECT(pthread_mutex_trylock(&mutex) == EBUSY);
  waits = true;
  Repair(pthread_mutex_lock(&mutex));
  third.join();
}
