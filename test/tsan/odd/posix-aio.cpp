// glibc's aio_read and its like work with threads of libc's own, which nobody sees. Under a schedule
// the caller does their work if it is on a file, so that it replays; on a pipe they must not hang.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %six_modes %t %t.file | %FileCheck %s
// RUN: %every_schedule --seeds 1 %t %t.file
// RUN: %every_schedule --kernel --seeds 1 %t %t.file pipe | %FileCheck %s
// CHECK: 8 bytes, heddle, 8 bytes of two, done 2
#include "heddle_test.h"
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static void *Work(void *) {
  static std::atomic<int> count;
  for (int i = 0; i < 20; i++)
    count++;
  return nullptr;
}

static aiocb Request(int fd, void *data, int size, int operation = LIO_NOP, int offset = 0) {
  aiocb request = {};
  request.aio_fildes = fd;
  request.aio_buf = data;
  request.aio_nbytes = size;
  request.aio_offset = offset;
  request.aio_lio_opcode = operation;
  request.aio_sigevent.sigev_notify = SIGEV_NONE;
  return request;
}

static int Await(aiocb &request) {
  const aiocb *list[] = {&request};
  while (aio_error(&request) == EINPROGRESS)
    aio_suspend(list, 1, nullptr);
  return int(aio_return(&request));
}

int main(int count, char **argv) {
  const int file = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
  int ends[2] = {file, file};
  if (count > 2)
    EXPECT(!pipe(ends));
  pthread_t thread;
  pthread_create(&thread, nullptr, Work, nullptr);
  char data[8] = "heddle", text[8] = {}, parts[2][4];
  aiocb read = Request(ends[0], text, 8), write = Request(ends[1], data, 8);
  if (count > 2)
    EXPECT(!aio_read(&read)); // waits for what this thread writes next
  EXPECT(!aio_write(&write) && Await(write) == 8);
  if (count <= 2)
    EXPECT(!aio_read(&read));
  const int bytes = Await(read);

  EXPECT(count <= 2 || pwrite(file, data, 8, 0) == 8);
  aiocb first = Request(file, parts[0], 4, LIO_READ),
        second = Request(file, parts[1], 4, LIO_READ, 4), nothing = Request(file, data, 1);
  aiocb *list[] = {&first, nullptr, &nothing, &second};
  EXPECT(!lio_listio(LIO_WAIT, list, 4, nullptr));
  const int both = int(aio_return(&first) + aio_return(&second));
  EXPECT(!memcmp(parts, "heddle\0", 8));
  EXPECT(!aio_fsync(O_SYNC, &first) && Await(first) == 0);
  aiocb wrong = Request(-1, text, 1);
  int failed = aio_read(&wrong) == -1 ? 1 : Await(wrong) == -1;
  failed += aio_cancel(file, nullptr) == AIO_ALLDONE;
  pthread_join(thread, nullptr);
  printf("%d bytes, %s, %d bytes of two, done %d\n", bytes, text, both, failed);
}
