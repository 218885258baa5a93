// A lock that another thread held at the fork is never released in the child: the deadlock is reported
// there.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %every_schedule --kernel --seeds 2 %t | %FileCheck %s
#include "heddle_test.h"
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic<int> state;

int main() {
  std::thread holder([] {
    pthread_mutex_lock(&mutex);
    state = 1;
    while (state != 2)
      sched_yield();
    pthread_mutex_unlock(&mutex);
  });
  while (state != 1)
    sched_yield();
  pid_t child = fork();
  EXPECT(child >= 0);
  if (!child) {
    close(2); // the report is expected
    pthread_mutex_lock(&mutex);
    _exit(0);
  }
  int status;
  EXPECT(waitpid(child, &status, 0) == child);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 66);
  state = 2;
  holder.join();
  puts("reported");
  // CHECK: reported
}
