// Files, descriptors that are O_NONBLOCK, and calls that say they do not wait, are operations like any
// other: the same seed gives the same schedule.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t
#include "heddle_test.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static int file, pipe_ends[2], sockets[2];

static void Work(int me) {
  char text[8];
  EXPECT(pwrite(file, "12345678", 8, 8 * me) == 8);
  EXPECT(pread(file, text, 8, 8 * me) == 8 && text[7] == '8');
  EXPECT(write(pipe_ends[1], "a", 1) == 1);
  while (read(pipe_ends[0], text, 1) != 1)
    EXPECT(errno == EAGAIN);
  EXPECT(send(sockets[1], "a", 1, MSG_DONTWAIT) == 1);
  while (recv(sockets[0], text, 1, MSG_DONTWAIT) != 1)
    EXPECT(errno == EAGAIN);
  pollfd nothing = {sockets[0], 0, 0};
  EXPECT(poll(&nothing, 1, 0) == 0);
  EXPECT(waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD);
}

int main(int, char **argv) {
  std::string path = argv[0] + std::string(".file");
  file = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
  EXPECT(file >= 0 && !pipe2(pipe_ends, O_NONBLOCK) && !socketpair(AF_UNIX, SOCK_DGRAM, 0, sockets));
  std::thread first(Work, 1), second(Work, 2);
  Work(0);
  first.join();
  second.join();
  unlink(path.c_str());
}
