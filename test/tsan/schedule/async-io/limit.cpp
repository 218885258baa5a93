// A wait for results that ends by its limit has moved the program's clock, and others go on meanwhile:
// a thread that waits without limit, for what another one submits.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %every_schedule --kernel %t %t.file | %FileCheck %s
// CHECK: done
#include "aio.h"
#include "heddle_test.h"
#include <fcntl.h>

static aio_context_t context;
static int fd;

static void *SubmitOne(void *) {
  static char data[8];
  static iocb request;
  request = Request(IOCB_CMD_PREAD, fd, data, sizeof(data));
  EXPECT(Submit(context, &request) == 1);
  return nullptr;
}

static long long Now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000ll + now.tv_nsec;
}

int main(int, char **argv) {
  fd = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
  EXPECT(write(fd, "heddle\0", 8) == 8 && !Setup(8, &context));
  io_event event;
  timespec limit = {0, 20000000};
  const long long before = Now();
  EXPECT(GetEvents(context, 1, 1, &event, &limit) == 0);
  EXPECT(Now() - before >= 20000000);
  limit = {};
  EXPECT(GetEvents(context, 0, 1, &event, &limit) == 0);
  pthread_t thread;
  pthread_create(&thread, nullptr, SubmitOne, nullptr);
  EXPECT(GetEvents(context, 1, 1, &event) == 1);
  pthread_join(thread, nullptr);
  printf("done\n");
}
