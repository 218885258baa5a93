// A thread is cancelled in a call that waits in the kernel. What it does to clean up is under the
// schedule, so that another thread, which waits for the mutex it unlocks, goes on.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule --kernel %t
#include "heddle_test.h"
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic<bool> locked;
static int pipe_ends[2];

static void Unlock(void *) { EXPECT(!pthread_mutex_unlock(&mutex)); }

static void *Read(void *) {
  char byte;
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(Unlock, nullptr);
  locked = true;
  EXPECT(read(pipe_ends[0], &byte, 1) != 1);
  pthread_cleanup_pop(1);
  return nullptr;
}

static void *Lock(void *) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return nullptr;
}

int main() {
  pthread_t reader, locker;
  void *result;
  EXPECT(!pipe(pipe_ends));
  EXPECT(!pthread_create(&reader, nullptr, Read, nullptr));
  while (!locked)
    sched_yield();
  EXPECT(!pthread_create(&locker, nullptr, Lock, nullptr));
  EXPECT(!pthread_cancel(reader));
  EXPECT(!pthread_join(reader, &result) && result == PTHREAD_CANCELED);
  EXPECT(!pthread_join(locker, nullptr));
}
