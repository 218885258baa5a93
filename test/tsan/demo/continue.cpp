// A demo that is cut off, and the program goes on from there by itself: what it reads is what
// there is now.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: bash -c 'for strategy in random queue; do rm -rf %t.demo %t.fifo; \
// RUN:   mkfifo %t.fifo; exec 3<>%t.fifo; head -c 60000 /dev/urandom >&3; \
// RUN:   TSAN_OPTIONS="schedule=$strategy seed=1 record_demo=%t.demo" %t <&3 & \
// RUN:   until [ $(cat %t.demo/SYSCALL 2> %t.err | wc -c) -gt 1000 ]; do :; done; \
// RUN:   kill -9 $!; wait $! 2> %t.err; \
// RUN:   TSAN_OPTIONS="play_demo=%t.demo play_demo_then=continue" %t < /dev/null 2>&1; \
// RUN:   echo "exit code $?"; done' > %t.out
// RUN: %FileCheck %s < %t.out
#include "heddle_test.h"
#include <thread>
#include <unistd.h>

int main() {
  atomic<int> count{0};
  std::thread other([&] {
    for (int i = 0; i < 50; i++)
      count++;
  });
  static char bytes[4096];
  while (read(0, bytes, sizeof(bytes)) > 0)
    count++;
  other.join();
  printf("over\n");
}
// CHECK: ends here
// CHECK-NEXT: over
// CHECK-NEXT: exit code 0
// CHECK: ends here
// CHECK-NEXT: over
// CHECK-NEXT: exit code 0
