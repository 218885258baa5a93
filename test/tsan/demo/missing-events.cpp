// A demo in which events are missing, though all its checksums are right, is refused where the
// first one is missed: also if a single thread is left, which comes back from the kernel, or is
// woken by a signal, when the demo knows nothing of that.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: rm -rf %t.demo && echo input | env TSAN_OPTIONS="schedule=random seed=1 record_demo=%t.demo" %t
// RUN: %without_events %t.demo ASYNC
// RUN: env TSAN_OPTIONS=play_demo=%t.demo %expect_exit 67 %t < /dev/null 2>&1 | %FileCheck %s
//
// RUN: rm -rf %t.demo && env TSAN_OPTIONS="schedule=random seed=1 record_demo=%t.demo" %t alarm
// RUN: %without_events %t.demo ASYNC
// RUN: env TSAN_OPTIONS=play_demo=%t.demo %expect_exit 67 %t alarm 2>&1 | %FileCheck %s
//
// CHECK: this run is not the recorded one any more. At tick {{[0-9]+}} the demo {{.*}} says: nothing at this tick, but no thread can run
#include "heddle_test.h"
#include <csignal>
#include <semaphore.h>
#include <unistd.h>

static sem_t alarmed;

int main(int count, char **) {
  if (count == 1) {
    char c;
    while (read(0, &c, 1) == 1) {
    }
    return 0;
  }
  sem_init(&alarmed, 0, 0);
  signal(SIGALRM, [](int) { sem_post(&alarmed); });
  ualarm(1000, 0);
  while (sem_wait(&alarmed)) {
  }
}
