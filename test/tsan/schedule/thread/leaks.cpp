// Threads that have ended and that nobody has joined are reported, the last of them too: when it has
// ended in the schedule, the end of the process waits until the system has noticed.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: for seed in 1 2 3 4 5 6 7 8; do env TSAN_OPTIONS="schedule=random seed=$seed" %expect_race %t 2>&1; done | %FileCheck %s
// CHECK-COUNT-8: And 4 more similar thread leaks.
#include <pthread.h>
#include <unistd.h>

int main() {
  for (volatile int i = 0; i < 5; i++) {
    pthread_t thread;
    pthread_create(&thread, nullptr, [](void *) -> void * { return nullptr; }, nullptr);
  }
  // A sleep may end at once, or when the others have ended. Not all do at once.
  for (int i = 0; i < 20; i++)
    sleep(1);
}
