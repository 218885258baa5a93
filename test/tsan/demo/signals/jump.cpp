// A handler jumps out of the call that it was called in.
//
// RUN: %clangxx_heddle %s -o %t && %record_and_play %t | %FileCheck %s
#include "heddle_test.h"
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
#include <thread>
#include <unistd.h>

static sigjmp_buf back;
static void Handle(int) { siglongjmp(back, 1); }

int main() {
  int ends[2];
  EXPECT(!pipe(ends));
  signal(SIGALRM, Handle);
  atomic<int> x{0}, seen{0};
  for (volatile int i = 0; i < 3; i++) {
    char byte;
    if (!sigsetjmp(back, 1)) {
      const itimerval soon = {{0, 0}, {0, 1000}};
      EXPECT(!setitimer(ITIMER_REAL, &soon, nullptr));
      (void)!read(ends[0], &byte, 1);
      EXPECT(false && "the read ended");
    }
    std::thread other([&] {
      for (int k = 0; k < 50; k++)
        seen = seen * 3 + x++;
    });
    for (int k = 0; k < 50; k++)
      seen = seen * 5 + x++;
    other.join();
    EXPECT(write(ends[1], "a", 1) == 1 && read(ends[0], &byte, 1) == 1);
    printf("%d %d\n", x.load(), seen.load());
  }
}
// CHECK: 100
// CHECK: 200
// CHECK: 300
