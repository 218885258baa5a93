// A fiber that waits for a mutex blocks its thread. If another fiber of that thread holds it, that is
// a deadlock, and reported as one.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %every_schedule --deadlock %t
#include "fiber.h"
#include "heddle_test.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *Run(void *) {
  Fiber *first = nullptr, *second = nullptr;
  first = new Fiber([&] {
    pthread_mutex_lock(&mutex);
    first->Yield();
    pthread_mutex_unlock(&mutex);
  });
  second = new Fiber([&] { pthread_mutex_lock(&mutex); });
  first->Resume();
  second->Resume();
  return nullptr;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, Run, nullptr);
  pthread_join(thread, nullptr);
}
