// The child of a fork goes on under the schedule with its one thread, forks and creates threads; the
// parent waits for it outside of the schedule. vfork is fork.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule --kernel --seeds 2 %t
#include "heddle_test.h"
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static atomic<int> x;

static void Threads() {
  std::thread first([] { x++; }), second([] { x++; });
  first.join();
  second.join();
}

static void Await(pid_t child) {
  int status = 1;
  EXPECT(child > 0 && waitpid(child, &status, 0) == child);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void Fork(int depth) {
  pid_t child = fork();
  if (child) {
    Await(child);
    return;
  }
  Threads();
  if (depth)
    Fork(depth - 1);
  Threads();
  _exit(x != 4);
}

int main() {
  Fork(0);
  Threads();
  x = 0;
  pid_t child = vfork();
  if (!child)
    _exit(0);
  Await(child);
  child = fork();
  if (!child) {
    execl("/bin/true", "true", nullptr);
    _exit(1);
  }
  Await(child);
}
