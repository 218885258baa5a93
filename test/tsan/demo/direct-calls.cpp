// What a system call by its number brings is recorded, as if libc had been asked.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %record_and_play %t
#include "heddle_test.h"
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

int main() {
  unsigned long random;
  EXPECT(syscall(SYS_getrandom, &random, sizeof(random), 0) == sizeof(random));
  timespec now;
  EXPECT(!syscall(SYS_clock_gettime, CLOCK_REALTIME, &now));
  printf("%lx %ld\n", random, long(now.tv_sec));

  // The system chooses a port.
  const int server = int(syscall(SYS_socket, AF_INET, SOCK_DGRAM, 0)), client = socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  EXPECT(!bind(server, reinterpret_cast<sockaddr *>(&address), size));
  EXPECT(!syscall(SYS_getsockname, server, &address, &size));
  printf("port %d\n", ntohs(address.sin_port));

  std::thread sender([&] {
    char text[] = "ping";
    iovec part = {text, 4};
    mmsghdr messages[2] = {};
    for (mmsghdr &message : messages) {
      message.msg_hdr.msg_name = &address;
      message.msg_hdr.msg_namelen = sizeof(address);
      message.msg_hdr.msg_iov = &part;
      message.msg_hdr.msg_iovlen = 1;
    }
    EXPECT(syscall(SYS_sendmmsg, client, messages, 2, 0) == 2);
    EXPECT(messages[1].msg_len == 4);
  });
  for (int received = 0; received < 2;) {
    char text[8] = {};
    sockaddr_in from = {};
    iovec part = {text, sizeof(text)};
    mmsghdr message = {};
    message.msg_hdr.msg_name = &from;
    message.msg_hdr.msg_namelen = sizeof(from);
    message.msg_hdr.msg_iov = &part;
    message.msg_hdr.msg_iovlen = 1;
    EXPECT(syscall(SYS_recvmmsg, server, &message, 1, 0, nullptr) == 1);
    EXPECT(message.msg_len == 4 && !strcmp(text, "ping"));
    printf("from port %d\n", ntohs(from.sin_port));
    received++;
  }
  sender.join();
}
