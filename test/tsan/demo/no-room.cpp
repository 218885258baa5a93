// A recording for which there is no room any more says up to where it can be played, and that is
// what is in the demo: not what would have been written next.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: rm -rf %t.demo
// RUN: (ulimit -f 200; head -c 1000000 /dev/urandom | env TSAN_OPTIONS="schedule=random seed=1 record_demo=%t.demo" %t) > %t.said 2>&1
// RUN: env TSAN_OPTIONS=play_demo=%t.demo %t < /dev/null >> %t.said 2>&1
// RUN: %FileCheck %s < %t.said
//
// CHECK: the recording ends at tick [[TICK:[1-9][0-9]*]]: cannot write {{.*}}/SYSCALL: the file would be too large (errno 27). The demo can be played up to there.
// CHECK: The demo {{.*}} ends here, at tick [[TICK]].
//
// Without room for the first part there is nothing to play, and no tick is promised.
// RUN: rm -rf %t.demo
// RUN: (trap '' XFSZ; ulimit -f 8; head -c 1000000 /dev/urandom | env TSAN_OPTIONS="schedule=random seed=1 record_demo=%t.demo" %t) 2>&1 | %FileCheck %s --check-prefix=NOTHING
//
// NOTHING: the recording ends at tick 0: cannot write {{.*}}/SYSCALL: the file would be too large (errno 27). There is nothing to play in the demo. Name a directory with more room.
#include <unistd.h>

int main() {
  // More than there is room for, however soon it is flushed.
  static char bytes[1 << 16];
  while (read(0, bytes, sizeof(bytes)) > 0) {
  }
}
