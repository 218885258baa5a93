// Ten thousand threads, one after another: what is kept of those that have ended does not slow down
// the next.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule --seeds 1 %t 1000
// RUN: env TSAN_OPTIONS=schedule=random %expect_clean %t 10000
// RUN: env TSAN_OPTIONS=schedule=pos %expect_clean %t 10000
#include "heddle_test.h"

static int ended;
static void *End(void *) {
  ended++;
  return nullptr;
}

int main(int, char **argv) {
  const int count = atoi(argv[1]);
  for (int i = 0; i < count; i++) {
    pthread_t thread;
    EXPECT(!pthread_create(&thread, nullptr, End, nullptr));
    EXPECT(!pthread_join(thread, nullptr));
  }
  EXPECT(ended == count);
}
