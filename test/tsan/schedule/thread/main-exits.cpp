// When the main thread ends by pthread_exit the others go on, create more, join the main thread, and
// the last one ends the process. (Without a schedule it never ends, as with upstream, whose own thread
// libc takes for one of the program's.)
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t | %FileCheck %s
#include "heddle_test.h"

static pthread_t main_thread;
static atomic<int> ended;

static void *End(void *) {
  if (++ended == 3)
    puts("the last one");
  return nullptr;
}
static void *CreateMore(void *) {
  void *result;
  EXPECT(!pthread_join(main_thread, &result) && result == &main_thread);
  pthread_t thread;
  for (int i = 0; i < 2; i++) {
    EXPECT(!pthread_create(&thread, nullptr, End, nullptr));
    pthread_detach(thread);
  }
  return End(nullptr);
}

int main() {
  atexit([] { puts("the end"); });
  main_thread = pthread_self();
  pthread_t thread;
  EXPECT(!pthread_create(&thread, nullptr, CreateMore, nullptr));
  pthread_detach(thread);
  pthread_exit(&main_thread);
  // CHECK: the last one
  // CHECK: the end
}
