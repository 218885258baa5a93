// A recording has neither io_uring nor the kernel's asynchronous I/O: the program is told that there
// is none, and does without. The note says so, once.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %record_and_play %t %t.file | %FileCheck %s
// RUN: rm -rf %t.demo
// RUN: env TSAN_OPTIONS="schedule=random record_demo=%t.demo" %t %t.file 2>&1 | %FileCheck --check-prefix=NOTE %s
// CHECK: heddle, without
// NOTE: note: io_setup is refused in a recording (ENOSYS): {{.*}} UV_USE_IO_URING=0
// NOTE-NOT: note:
#include "../schedule/async-io/aio.h"
#include "heddle_test.h"
#include <fcntl.h>

int main(int, char **argv) {
  const int fd = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
  EXPECT(write(fd, "heddle\0", 8) == 8);
  aio_context_t context = 0;
  char data[8] = {}, parameters[256] = {};
  const char *way = "with";
  const long result = Setup(8, &context);
  if (result == -1 && errno == ENOSYS) {
    EXPECT(pread(fd, data, sizeof(data), 0) == 8);
    way = "without";
  }
  EXPECT(syscall(SYS_io_uring_setup, 4, parameters) == -1 && errno == ENOSYS);
  printf("%s, %s\n", data, way);
}
