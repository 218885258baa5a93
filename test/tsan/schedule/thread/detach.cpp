// Detached threads, by attribute and by call, by another thread and by themselves, go on under the
// schedule; joining one is an error.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t
#include "heddle_test.h"
#include <errno.h>

static atomic<int> ended;
static atomic<bool> tried_to_join;
static void *End(void *) {
  ended++;
  return nullptr;
}
static void *DetachAndEnd(void *) {
  EXPECT(!pthread_detach(pthread_self()));
  return End(nullptr);
}
static void *Wait(void *) {
  while (ended != 3 || !tried_to_join)
    sched_yield();
  return End(nullptr);
}

int main() {
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  EXPECT(!pthread_create(&thread, &attributes, End, nullptr));
  EXPECT(!pthread_create(&thread, nullptr, DetachAndEnd, nullptr));
  EXPECT(!pthread_create(&thread, nullptr, End, nullptr));
  EXPECT(!pthread_detach(thread));
  EXPECT(!pthread_create(&thread, &attributes, Wait, nullptr));
  EXPECT(pthread_join(thread, nullptr) == EINVAL); // it has not ended, or its handle were no more
  tried_to_join = true;
  while (ended != 4)
    sched_yield();
}
