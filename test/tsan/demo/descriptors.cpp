// Threads that open and close get the same numbers in a replay, and what can be done with a
// descriptor that is not the recorded one is done.
//
// RUN: %clangxx_heddle %s -o %t && %record_and_play %t | %FileCheck %s
#include "heddle_test.h"
#include <errno.h>
#include <fcntl.h>
#include <string>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

static std::string Open(const char *path) {
  std::string numbers;
  for (int i = 0; i < 5; i++) {
    int ends[2];
    const int file = open(path, O_RDONLY), event = eventfd(0, EFD_CLOEXEC);
    EXPECT(!pipe(ends));
    const int copy = dup(ends[0]), high = fcntl(event, F_DUPFD, 50);
    EXPECT(dup2(ends[1], file) == file);
    for (int each : {file, event, ends[0], ends[1], copy, high}) {
      numbers += std::to_string(each) + " ";
      close(each);
    }
  }
  return numbers;
}

int main(int, char **argv) {
  std::string numbers[2];
  std::thread first([&] { numbers[0] = Open("/dev/null"); });
  std::thread second([&] { numbers[1] = Open(argv[0]); });
  first.join();
  second.join();
  printf("%s\n%s\n", numbers[0].c_str(), numbers[1].c_str());

  int pair[2];
  EXPECT(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair));
  struct stat status;
  EXPECT(!fstat(pair[0], &status));
  printf("socket %d, flags %x, tty %d, seek %ld\n", S_ISSOCK(status.st_mode),
         fcntl(pair[0], F_GETFL), isatty(pair[0]), long(lseek(pair[0], 0, SEEK_SET)));
  EXPECT(fcntl(pair[0], F_SETFL, 0) == 0);
  printf("flags %x\n", fcntl(pair[0], F_GETFL));
  char byte;
  EXPECT(read(pair[1], &byte, 1) == -1 && errno == EAGAIN);
  EXPECT(close(77) == -1 && errno == EBADF);
}
// CHECK: socket 1, flags 802, tty 0, seek -1
// CHECK: flags 2
