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
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

// Of the kernel, not the program's: the time in which frames are written.
static long Milliseconds() {
  timespec now;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

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
  for (const long start = Milliseconds(); Milliseconds() < start + 200;)
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
