// A mutex that processes share is waited for away from the schedule. A recording must not count the
// thread as back before it has the mutex: the others would wait for it, and it for its owner.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS="schedule=random seed=1 record_demo=%t.demo" %t | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=queue record_demo=%t.demo" %t rwlock | %FileCheck %s
// CHECK: 60
#include "heddle_test.h"
#include <thread>
#include <vector>

static pthread_mutex_t mutex;
static pthread_rwlock_t rwlock;
static int counter;

int main(int count, char **) {
  const bool uses_rwlock = count > 1;
  pthread_mutexattr_t attributes;
  EXPECT(!pthread_mutexattr_init(&attributes));
  EXPECT(!pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED));
  EXPECT(!pthread_mutex_init(&mutex, &attributes));
  pthread_rwlockattr_t rwlock_attributes;
  EXPECT(!pthread_rwlockattr_init(&rwlock_attributes));
  EXPECT(!pthread_rwlockattr_setpshared(&rwlock_attributes, PTHREAD_PROCESS_SHARED));
  EXPECT(!pthread_rwlock_init(&rwlock, &rwlock_attributes));
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++)
    threads.emplace_back([&] {
      for (int round = 0; round < 20; round++) {
        EXPECT(!(uses_rwlock ? pthread_rwlock_wrlock(&rwlock) : pthread_mutex_lock(&mutex)));
        counter++;
        EXPECT(!(uses_rwlock ? pthread_rwlock_unlock(&rwlock) : pthread_mutex_unlock(&mutex)));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  printf("%d\n", counter);
}
