// A recording covers the children of forks, and theirs: what comes into them is in demos of their own. They have
// threads, meet their parents in pipes, and end as they did.
//
// RUN: %clangxx_heddle %s -o %t && %record_and_play --times 5 --seeds 2 %t | %FileCheck %s
#include "heddle_test.h"
#include <sys/random.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static unsigned Random() {
  unsigned value = 0;
  EXPECT(getrandom(&value, sizeof(value), 0) == sizeof(value));
  return value;
}

// Prints what came in from outside, and which thread was the last.
static void Work(const char *name) {
  std::atomic<unsigned> sum{0}, last{0};
  auto add = [&](unsigned self) {
    for (int i = 0; i < 3; i++) {
      sum += Random();
      last = self;
    }
  };
  std::thread one(add, 1), two(add, 2);
  one.join();
  two.join();
  printf("%s: process %d of %d, %u in all, thread %u was the last\n", name, getpid(), getppid(), sum.load(),
         last.load());
}

static int WaitFor(int child) {
  int status = 0;
  EXPECT(waitpid(child, &status, 0) == child && WIFEXITED(status));
  return WEXITSTATUS(status);
}

int main() {
  setvbuf(stdout, nullptr, _IONBF, 0);
  Work("parent");
  int there[2], back[2];
  EXPECT(!pipe(there) && !pipe(back));
  for (int i = 0; i < 2; i++) {
    const int child = fork();
    if (!child) {
      unsigned question = 0;
      EXPECT(read(there[0], &question, sizeof(question)) == sizeof(question));
      Work("child");
      const unsigned answer = question + Random();
      EXPECT(write(back[1], &answer, sizeof(answer)) == sizeof(answer));
      const int grandchild = fork();
      if (!grandchild) {
        Work("grandchild");
        _exit(int(Random() % 100));
      }
      printf("the grandchild exits with %d\n", WaitFor(grandchild));
      exit(int(Random() % 100)); // with what atexit does
    }
    const unsigned question = Random();
    EXPECT(write(there[1], &question, sizeof(question)) == sizeof(question));
    unsigned answer = 0;
    EXPECT(read(back[0], &answer, sizeof(answer)) == sizeof(answer));
    printf("the child answers %u, and exits with %d\n", answer - question, WaitFor(child));
  }
  Work("parent");
}
// CHECK: parent: process
// CHECK: child: process
// CHECK: grandchild: process
// CHECK: the child answers
