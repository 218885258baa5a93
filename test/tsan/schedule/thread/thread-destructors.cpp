// Destructors of thread_local objects and of pthread_key_create are part of the thread: they lock, and
// set atomics, under the schedule, and happen before a join returns.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t
#include "heddle_test.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic<int> atomic_count;
static int count;
static pthread_key_t key;

static void Count() {
  atomic_count++;
  pthread_mutex_lock(&mutex);
  count++;
  pthread_mutex_unlock(&mutex);
}

struct Local {
  ~Local() { Count(); }
};
static void Destroy(void *value) {
  Count();
  if (value == &key)
    pthread_setspecific(key, &count); // once more
}

static void *Run(void *) {
  thread_local Local local;
  (void)&local;
  pthread_setspecific(key, &key);
  return nullptr;
}

int main() {
  pthread_key_create(&key, Destroy);
  pthread_t threads[3];
  for (auto &thread : threads)
    EXPECT(!pthread_create(&thread, nullptr, Run, nullptr));
  for (auto &thread : threads)
    EXPECT(!pthread_join(thread, nullptr));
  EXPECT(count == 9 && atomic_count == 9);
}
