// All wait until it has happened, once, and see what it did.
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t | %FileCheck %s
// CHECK: 1
#include <pthread.h>
#include <stdio.h>
#include <thread>

#include "heddle_test.h"

pthread_once_t once = PTHREAD_ONCE_INIT;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int times;

void Initialise() {
  pthread_mutex_lock(&mutex); // so that others may come meanwhile
  times++;
  pthread_mutex_unlock(&mutex);
}

void Use() {
  EXPECT(pthread_once(&once, Initialise) == 0);
  EXPECT(times == 1);
}

int main() {
  std::thread threads[] = {std::thread(Use), std::thread(Use), std::thread(Use)};
  for (std::thread &thread : threads)
    thread.join();
  Use();
  printf("%d\n", times);
}
