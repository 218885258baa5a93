// A fork while other threads are busy with atomics and fences: no lock of the detector stays locked
// in the child, which goes on with the same objects. An alarm ends the process that hangs.
//
// RUN: %clangxx_heddle %s -o %t && %expect_clean %t
#include "heddle_test.h"
#include <sys/wait.h>
#include <unistd.h>

const int kThreads = 3, kForks = 30;

atomic<int> x, y;
atomic<bool> stop;

static void Work(int i) {
  x.fetch_add(1, relaxed);
  atomic_thread_fence(release);
  y.store(i, relaxed);
  int expected = x.load(relaxed);
  x.compare_exchange_strong(expected, i, acq_rel, relaxed);
  atomic_thread_fence(acquire);
  y.store(i, release);
}

static void Fork() {
  pid_t child = fork();
  EXPECT(child >= 0);
  if (!child) {
    alarm(60);
    for (int i = 0; i < 100; i++)
      Work(i);
    _exit(0);
  }
  int status;
  EXPECT(waitpid(child, &status, 0) == child);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main() {
  alarm(120);
  Concurrently(kThreads, [](int self) {
    if (self) {
      for (int i = 0; !stop.load(relaxed); i++)
        Work(i);
      return;
    }
    for (int i = 0; i < kForks && !OutOfTime(); i++)
      Fork();
    stop.store(true, relaxed);
  });
}
