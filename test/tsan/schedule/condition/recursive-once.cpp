// A recursive mutex that is locked once is unlocked by a wait, and locked again.
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t | %FileCheck %s
// CHECK: done
#include <pthread.h>
#include <stdio.h>
#include <thread>

#include "heddle_test.h"

pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
bool flag;

int main() {
  pthread_mutex_lock(&mutex);
  std::thread signaller([] {
    pthread_mutex_lock(&mutex);
    flag = true;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
  });
  while (!flag)
    EXPECT(pthread_cond_wait(&condition, &mutex) == 0);
  EXPECT(pthread_mutex_unlock(&mutex) == 0);
  signaller.join();
  puts("done");
}
