// A program that is executed has the descriptors that were not closed, in a replay as well, where they are placeholders.
//
// RUN: %clangxx_heddle %s -o %t && %record_and_play --times 3 %t | %FileCheck %s
#include "heddle_test.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int argc, char **argv) {
  setvbuf(stdout, nullptr, _IONBF, 0);
  if (argc == 1) {
    int ends[2], closed[2], pair[2];
    EXPECT(!pipe(ends) && !pipe2(closed, O_CLOEXEC) && !socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    EXPECT(write(ends[1], "pipe", 4) == 4 && write(pair[1], "pair", 4) == 4);
    char reads[8], other[8];
    snprintf(reads, sizeof(reads), "%d", ends[0]);
    snprintf(other, sizeof(other), "%d", pair[0]);
    execl(argv[0], argv[0], reads, other, nullptr);
    return 1;
  }
  for (int i = 1; i < 3; i++) {
    const int fd = atoi(argv[i]), copy = dup(fd);
    char text[8] = {};
    EXPECT(copy >= 0 && !close(fd) && read(copy, text, sizeof(text)) == 4);
    printf("%s, as descriptor %d\n", text, copy);
  }
  printf("a new one is %d\n", open("/dev/null", O_RDONLY));
}
// CHECK: pipe, as descriptor
// CHECK: pair, as descriptor
