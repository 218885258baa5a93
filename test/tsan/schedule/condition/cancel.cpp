// A thread that is cancelled in a wait locks the mutex again, runs its cleanup
// handlers with it, and has taken no signal from those that go on waiting.
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t | %FileCheck %s
// CHECK: cleaned up
// CHECK: cancelled
#include <pthread.h>
#include <stdio.h>

#include "heddle_test.h"

pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
bool go;

void CleanUp(void *) {
  EXPECT(pthread_mutex_unlock(&mutex) == 0); // or it was not locked
  puts("cleaned up");
}

void *Wait(void *) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(CleanUp, nullptr);
  for (;;)
    pthread_cond_wait(&condition, &mutex);
  pthread_cleanup_pop(0);
  return nullptr;
}

void *WaitForGo(void *) {
  pthread_mutex_lock(&mutex);
  while (!go)
    pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  return nullptr;
}

int main() {
  pthread_t thread, other;
  void *result;
  pthread_create(&thread, nullptr, Wait, nullptr);
  pthread_create(&other, nullptr, WaitForGo, nullptr);
  EXPECT(pthread_cancel(thread) == 0);
  EXPECT(pthread_join(thread, &result) == 0);
  if (result == PTHREAD_CANCELED)
    puts("cancelled");
  pthread_mutex_lock(&mutex);
  go = true;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_join(other, nullptr);
}
