// sem_wait is a cancellation point, when the thread is cancelled before it and in it.
// The post that it did not take is there for another.
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t | %FileCheck %s
// CHECK: cleaned up
// CHECK: cancelled
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#include "heddle_test.h"

sem_t semaphore;

void CleanUp(void *) { puts("cleaned up"); }

void *Wait(void *) {
  pthread_cleanup_push(CleanUp, nullptr);
  sem_wait(&semaphore);
  pthread_cleanup_pop(0);
  return nullptr;
}

int main() {
  sem_init(&semaphore, 0, 0);
  pthread_t thread;
  void *result;
  pthread_create(&thread, nullptr, Wait, nullptr);
  EXPECT(pthread_cancel(thread) == 0);
  EXPECT(pthread_join(thread, &result) == 0);
  if (result == PTHREAD_CANCELED)
    puts("cancelled");
  sem_post(&semaphore);
  EXPECT(sem_wait(&semaphore) == 0);
}
