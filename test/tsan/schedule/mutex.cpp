// Mutexes of all kinds, and spin locks.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule --seeds 3 %t | %FileCheck %s
#include <cassert>
#include <cerrno>
#include <cstdio>
#include <pthread.h>
#include <thread>
#include <vector>

pthread_mutex_t MakeMutex(int type) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, type);
  pthread_mutex_t mutex;
  pthread_mutex_init(&mutex, &attributes);
  return mutex;
}

int main() {
  pthread_mutex_t normal = MakeMutex(PTHREAD_MUTEX_NORMAL);
  pthread_mutex_t recursive = MakeMutex(PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_t checked = MakeMutex(PTHREAD_MUTEX_ERRORCHECK);
  pthread_spinlock_t spin;
  pthread_spin_init(&spin, 0);
  int by_normal = 0, by_recursive = 0, by_spin = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++)
    threads.emplace_back([&] {
      for (int k = 0; k < 5; k++) {
        pthread_mutex_lock(&normal);
        by_normal++;
        pthread_mutex_unlock(&normal);

        pthread_mutex_lock(&recursive);
        pthread_mutex_lock(&recursive);
        pthread_mutex_unlock(&recursive);
        by_recursive++; // still held
        pthread_mutex_unlock(&recursive);

        assert(pthread_mutex_lock(&checked) == 0);
        assert(pthread_mutex_lock(&checked) == EDEADLK);
        pthread_mutex_unlock(&checked);

        pthread_spin_lock(&spin);
        by_spin++;
        pthread_spin_unlock(&spin);

        while (pthread_mutex_trylock(&normal) != 0)
          sched_yield();
        by_normal++;
        pthread_mutex_unlock(&normal);
      }
    });
  for (auto &thread : threads)
    thread.join();
  printf("%d %d %d\n", by_normal, by_recursive, by_spin);
  // CHECK: 30 15 15
}
