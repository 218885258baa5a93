// Two hundred threads at once.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule --seeds 1 %t
#include "heddle_test.h"

const int kThreads = 200;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic<int> begun;
static int ended;

static void *Run(void *) {
  begun++;
  pthread_mutex_lock(&mutex);
  ended++;
  pthread_mutex_unlock(&mutex);
  return nullptr;
}

int main() {
  pthread_t threads[kThreads];
  for (auto &thread : threads)
    EXPECT(!pthread_create(&thread, nullptr, Run, nullptr));
  for (auto &thread : threads)
    EXPECT(!pthread_join(thread, nullptr));
  EXPECT(begun == kThreads && ended == kThreads);
}
