// A thread that may not be cancelled goes on waiting until it is signalled.
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t | %FileCheck %s
// CHECK: done
#include <pthread.h>
#include <stdio.h>

#include "heddle_test.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
bool go;

void *Wait(void *) {
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
  pthread_mutex_lock(&mutex);
  while (!go)
    pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  return &go;
}

int main() {
  pthread_t thread;
  void *result;
  pthread_create(&thread, nullptr, Wait, nullptr);
  EXPECT(pthread_cancel(thread) == 0);
  pthread_mutex_lock(&mutex);
  go = true;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, &result);
  EXPECT(result == &go);
  puts("done");
}
