// Nothing comes on standard input while the program runs, so the read is in no demo: neither in one of
// a program that ends meanwhile, nor in one that is cut off. A replay, whose standard input is
// another and at its end, knows from META that the read waits.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: rm -f %t.fifo && mkfifo %t.fifo
// RUN: bash -c 'exec 3<>%t.fifo; for strategy in random queue; do for end in exit kill; do \
// RUN:   rm -rf %t.demo; \
// RUN:   TSAN_OPTIONS="schedule=$strategy seed=1 record_demo=%t.demo" %t $end <&3; \
// RUN:   echo "$strategy, $end: $?"; \
// RUN:   TSAN_OPTIONS="play_demo=%t.demo" %t $end < /dev/null 2>&1; echo "replay: $?"; \
// RUN:   done; done' > %t.out 2> %t.err
// RUN: %FileCheck %s < %t.out
#include "heddle_test.h"
#include <signal.h>
#include <string.h>
#include <sys/random.h>
#include <thread>
#include <unistd.h>

int main(int, char **argv) {
  atomic<int> reads{0};
  std::thread([&] {
    char byte;
    for (;;) {
      reads++;
      if (read(0, &byte, 1) <= 0)
        printf("not to be reached\n");
    }
  }).detach();
  while (!reads) {
  }
  for (int i = 0; i < 100; i++)
    reads.load();
  printf("%d read\n", reads.load());
  fflush(stdout);
  if (!strcmp(argv[1], "exit"))
    _exit(0);
  // Enough for a frame, which is written before the end.
  static char bytes[4096];
  for (int i = 0; i < 20; i++)
    EXPECT(getrandom(bytes, sizeof(bytes), 0) == sizeof(bytes));
  reads.load();
  kill(getpid(), SIGKILL);
}
// CHECK: 1 read
// CHECK-NEXT: random, exit: 0
// CHECK-NEXT: 1 read
// CHECK-NEXT: replay: 0
// CHECK-NEXT: 1 read
// CHECK-NEXT: random, kill: 137
// CHECK-NEXT: 1 read
// CHECK-NOT: not to be reached
// CHECK: ends here
// CHECK: replay: 0
// CHECK-NEXT: 1 read
// CHECK-NEXT: queue, exit: 0
// CHECK-NEXT: 1 read
// CHECK-NEXT: replay: 0
// CHECK-NEXT: 1 read
// CHECK-NEXT: queue, kill: 137
// CHECK-NEXT: 1 read
// CHECK-NOT: not to be reached
// CHECK: ends here
// CHECK: replay: 0
