// What the demo does not have is said at the end of a recording.
//
// RUN: %clangxx_heddle %s -o %t && rm -rf %t.demo
// RUN: env TSAN_OPTIONS="schedule=random record_demo=%t.demo" %t 2>&1 | %FileCheck %s
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

int main() {
  int ends[2];
  if (pipe(ends))
    return 1;
  for (int i = 0; i < 3; i++)
    ioctl(ends[0], 0x1234, nullptr);
  printf("done\n");
  fflush(stdout);
}
// CHECK: done
// CHECK: note: 3 ioctl calls were not recorded
