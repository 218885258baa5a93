// Whoever is told that a request is done comes after its submission, and after what the kernel has
// written: no race, under a schedule and without.
//
// RUN: %clangxx_heddle %s -o %t && %expect_clean %t %t.file
// RUN: %every_schedule --kernel %t %t.file | %FileCheck %s
// RUN: %every_engine %t %t.file
// CHECK: 1: 16 bytes, heddle
// CHECK: 2: 16 bytes, heddle
#include "aio.h"
#include "heddle_test.h"
#include <fcntl.h>

struct Work {
  iocb request;
  int number; // by whoever submits, read by whoever is told
  char data[16];
};

static aio_context_t context;

static void *AwaitOne(void *) {
  io_event event;
  EXPECT(GetEvents(context, 1, 1, &event) == 1);
  auto *work = reinterpret_cast<Work *>(event.data);
  printf("%d: %d bytes, %s\n", work->number, int(event.res), work->data);
  work->data[0] = 0;
  return nullptr;
}

int main(int, char **argv) {
  const int fd = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
  EXPECT(write(fd, "heddle\0\0\0\0\0\0\0\0\0\0", 16) == 16 && !Setup(8, &context));
  for (int number = 1; number <= 2; number++) {
    pthread_t thread;
    pthread_create(&thread, nullptr, AwaitOne, nullptr);
    Work work = {};
    work.number = number;
    work.request = Request(IOCB_CMD_PREAD, fd, work.data, sizeof(work.data));
    work.request.aio_data = reinterpret_cast<__u64>(&work);
    EXPECT(Submit(context, &work.request) == 1);
    pthread_join(thread, nullptr);
  }
  EXPECT(!Destroy(context));
}
