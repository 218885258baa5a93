// A child that is made by a system call of the program's own has no schedule, and no part in the demo: what it does must
// not come into its parent's.
//
// RUN: %clangxx_heddle %s -o %t && %record_and_play --times 3 %t | %FileCheck %s
#include "heddle_test.h"
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static unsigned Random() {
  unsigned value = 0;
  EXPECT(getrandom(&value, sizeof(value), 0) == sizeof(value));
  return value;
}

int main() {
  std::thread([] {}).join();
  const int child = int(syscall(SYS_fork));
  if (!child) {
    for (int i = 0; i < 10000; i++)
      Random(); // more than is written at once
    _exit(7);
  }
  int status = 0;
  EXPECT(wait(&status) > 0); // its number is not in the demo
  printf("%d: %u\n", WEXITSTATUS(status), Random());
}
// CHECK: 7:
