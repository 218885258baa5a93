// What the kernel may write to a buffer, or read from one, counts as written or read by the thread
// that submits. The request itself may be gone before anybody is told of its end.
//
// RUN: %clangxx_heddle %s -o %t && %expect_race -o %t.log %t %t.file && %FileCheck %s < %t.log
// RUN: %clangxx_heddle -DWRITE %s -o %t && %expect_race -o %t.log %t %t.file
// RUN: %FileCheck --check-prefix=WRITE %s < %t.log
#include "aio.h"
#include "heddle_test.h"
#include <fcntl.h>

alignas(8) static char data[8];
static aio_context_t context;
static int fd;

static void Touch() { data[0] = 1; }

static void Transfer() {
#ifdef WRITE
  iocb request = Request(IOCB_CMD_PWRITE, fd, data, sizeof(data));
#else
  iocb request = Request(IOCB_CMD_PREAD, fd, data, sizeof(data));
#endif
  EXPECT(Submit(context, &request) == 1);
  memset(&request, 0xff, sizeof(request));
  io_event event;
  EXPECT(GetEvents(context, 1, 1, &event) == 1);
}

int main(int, char **argv) {
  fd = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
  EXPECT(write(fd, "heddle\0", 8) == 8 && !Setup(8, &context));
  Interleave({{T1, Touch}, {T2, Transfer}});
}
// CHECK: WARNING: ThreadSanitizer: data race
// CHECK-NEXT: Write of size 8 {{.*}} by thread T2
// CHECK: syscall
// CHECK: Transfer()
// CHECK: Previous write of size 1 {{.*}} by thread T1
// WRITE: WARNING: ThreadSanitizer: data race
// WRITE-NEXT: Read of size 8 {{.*}} by thread T2
// WRITE: Previous write of size 1 {{.*}} by thread T1
