// A process that executes another program ends its recording there, and the program is recorded as the next part.
//
// RUN: %clangxx_heddle %s -o %t && %record_and_play --times 5 %t | %FileCheck %s
// RUN: rm -rf %t.demo && env TSAN_OPTIONS="schedule=random seed=1 record_demo=%t.demo" %t 2> %t.said && ls %t.demo/exec/exec/META
// RUN: not grep note: %t.said
#include "heddle_test.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/random.h>
#include <thread>
#include <unistd.h>

static unsigned Random() {
  unsigned value = 0;
  EXPECT(getrandom(&value, sizeof(value), 0) == sizeof(value));
  return value;
}

extern char **environ;

int main(int argc, char **argv) {
  setvbuf(stdout, nullptr, _IONBF, 0);
  const int stage = argc > 1 ? atoi(argv[1]) : 0;
  std::atomic<unsigned> sum{0};
  std::thread thread([&] { sum += Random(); });
  sum += Random();
  thread.join();
  printf("stage %d of process %d: %u\n", stage, getpid(), sum.load());
  // There is no such program: it goes on, and what comes then is recorded, too.
  char *none[] = {argv[0], nullptr};
  EXPECT(execv("/no/such/program", none) == -1 && errno == ENOENT);
  printf("and %u\n", Random());
  char next[8];
  snprintf(next, sizeof(next), "%d", stage + 1);
  char *words[] = {argv[0], next, nullptr}, *nothing[] = {nullptr};
  switch (stage) {
  case 0:
    execl(argv[0], argv[0], next, nullptr);
    break;
  case 1:
    execv(argv[0], words);
    break;
  case 2:
    execvp(argv[0], words);
    break;
  case 3:
    execve(argv[0], words, nothing); // its environment says what it is told all the same
    break;
  case 4:
    fexecve(open(argv[0], O_RDONLY | O_CLOEXEC), words, environ);
    break;
  case 5:
    return 0;
  }
  perror("exec");
  return 1;
}
// CHECK: stage 0 of process [[PROCESS:[0-9]+]]:
// CHECK: stage 5 of process [[PROCESS]]:
