// A robust mutex whose owner ends with it: when it has ended in the schedule, the next to try it learns
// of that, also if the system takes a while to notice.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule --kernel --seeds 5 %t
#include "heddle_test.h"
#include <errno.h>
#include <thread>
#include <unistd.h>

static pthread_mutex_t mutex;

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
  for (auto lock : {pthread_mutex_trylock, pthread_mutex_lock}) {
    std::thread owner([] { pthread_mutex_lock(&mutex); });
    // A sleep may end at once, or when nobody else can run. Not all do at once.
    for (int i = 0; i < 20; i++)
      sleep(1);
    Repair(lock(&mutex));
    owner.join();
  }
}
