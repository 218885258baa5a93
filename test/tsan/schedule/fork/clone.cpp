// clone without shared memory is a fork: the child is a thread alone, and under the schedule, while
// another thread of the parent does not stop; it can end as any process does. Handlers of pthread_atfork
// are not called.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule --kernel --seeds 2 %t
#include "heddle_test.h"
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static atomic<int> x;
static atomic<bool> stop;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool handled;
alignas(64) static char stack[64 << 10];

static int Child(void *argument) {
  for (int i = 0; i < 100; i++) {
    pthread_mutex_lock(&mutex);
    x++;
    pthread_mutex_unlock(&mutex);
  }
  exit(argument != &x);
}

int main() {
  pthread_atfork([] { handled = true; }, nullptr, nullptr);
  std::thread other([] {
    while (!stop)
      x++;
  });
  for (int i = 0; i < 10; i++) {
    pid_t child = clone(Child, stack + sizeof(stack), SIGCHLD, &x);
    EXPECT(child > 0);
    int status = 1;
    EXPECT(waitpid(child, &status, 0) == child);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  EXPECT(clone(Child, stack + sizeof(stack), CLONE_NEWUSER | CLONE_FS, &x) == -1); // invalid
  stop = true;
  other.join();
  EXPECT(!handled);
}
