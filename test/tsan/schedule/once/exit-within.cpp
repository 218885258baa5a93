// A thread that ends, or is cancelled, within pthread_once leaves it to another.
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t | %FileCheck %s
// CHECK: 3 attempts
#include <atomic>
#include <pthread.h>
#include <stdio.h>

#include "heddle_test.h"

pthread_once_t once = PTHREAD_ONCE_INIT;
std::atomic<int> attempts;

void Initialise() {
  switch (++attempts) {
  case 1:
    pthread_exit(nullptr);
  case 2:
    pthread_cancel(pthread_self());
    pthread_testcancel();
  }
}

void *Use(void *) {
  pthread_once(&once, Initialise);
  return nullptr;
}

int main() {
  pthread_t threads[4];
  for (pthread_t &thread : threads)
    EXPECT(pthread_create(&thread, nullptr, Use, nullptr) == 0);
  for (pthread_t thread : threads)
    EXPECT(pthread_join(thread, nullptr) == 0);
  printf("%d attempts\n", attempts.load());
}
