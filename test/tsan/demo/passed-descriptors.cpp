// Descriptors that come in a message exist in a replay, too.
//
// RUN: %clangxx_heddle %s -o %t && %record_and_play %t | %FileCheck %s
#include "heddle_test.h"
#include <string.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

struct Message {
  char byte = 'd';
  iovec part = {&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(2 * sizeof(int))] = {};
  msghdr header = {};
  Message() {
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof(control);
  }
};

static void Send(int socket, const int (&files)[2]) {
  Message message;
  cmsghdr *rights = CMSG_FIRSTHDR(&message.header);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof(files));
  memcpy(CMSG_DATA(rights), files, sizeof(files));
  EXPECT(sendmsg(socket, &message.header, 0) == 1);
}

static void Receive(int socket, int (&files)[2]) {
  Message message;
  EXPECT(recvmsg(socket, &message.header, 0) == 1);
  const cmsghdr *rights = CMSG_FIRSTHDR(&message.header);
  EXPECT(rights && rights->cmsg_type == SCM_RIGHTS);
  memcpy(files, CMSG_DATA(rights), sizeof(files));
}

int main() {
  int pair[2], ends[2], received[2];
  EXPECT(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair) && !pipe(ends));
  std::thread receiver([&] { Receive(pair[1], received); });
  Send(pair[0], ends);
  receiver.join();
  const int next = dup(0);
  printf("received %d and %d, next %d\n", received[0], received[1], next);
  EXPECT(write(received[1], "through", 7) == 7);
  char text[8] = {};
  EXPECT(read(ends[0], text, 7) == 7);
  for (int fd : {pair[0], pair[1], ends[0], ends[1], received[0], received[1], next})
    EXPECT(!close(fd));
  printf("%s\n", text);
}
// CHECK: received
// CHECK: through
