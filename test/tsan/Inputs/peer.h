// For tests of recordings: a process that the program talks to, and that is absent in a replay.
// It is the same program, started as "PROGRAM peer", see record-and-play.
#ifndef HEDDLE_PEER_H
#define HEDDLE_PEER_H

#include "heddle_test.h"
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

inline sockaddr_in Loopback(int port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// The port that the system has chosen.
inline int BindAnywhere(int fd) {
  sockaddr_in address = Loopback(0);
  socklen_t size = sizeof(address);
  EXPECT(!bind(fd, (sockaddr *)&address, size));
  EXPECT(!getsockname(fd, (sockaddr *)&address, &size));
  return ntohs(address.sin_port);
}

// The peer: says where it listens, and waits for the program.
inline int AwaitProgram() {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  const int port = BindAnywhere(listener);
  EXPECT(!listen(listener, 8));
  printf("%d\n", port);
  fclose(stdout);
  const int fd = accept(listener, nullptr, nullptr);
  EXPECT(fd >= 0);
  close(listener);
  return fd;
}

// The program.
inline int ConnectTo(const char *port) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in address = Loopback(atoi(port));
  EXPECT(!connect(fd, (const sockaddr *)&address, sizeof(address)));
  return fd;
}

// All of it, or the test fails.
inline void Send(int fd, const std::string &text) {
  EXPECT(write(fd, text.data(), text.size()) == ssize_t(text.size()));
}
// Up to a newline, a byte at a time. Empty at the end.
inline std::string ReadLine(int fd) {
  std::string line;
  for (char byte;;) {
    const ssize_t size = read(fd, &byte, 1);
    if (size < 0 && errno == EINTR)
      continue;
    if (size != 1 || byte == '\n')
      return line;
    line += byte;
  }
}
inline bool IsPeer(int argc, char **argv) { return argc > 1 && !strcmp(argv[1], "peer"); }

#endif // HEDDLE_PEER_H
