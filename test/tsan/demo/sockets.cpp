// Sockets of each kind, with a peer that a replay does not have.
//
// RUN: %clangxx_heddle %s -o %t && %record_and_play --peer %t | %FileCheck %s
#include "peer.h"
#include <netinet/tcp.h>
#include <sys/uio.h>
#include <thread>

static int Peer() {
  const int fd = AwaitProgram();
  // The program's server, and its datagram socket.
  const int port = atoi(ReadLine(fd).c_str()), datagrams = atoi(ReadLine(fd).c_str());
  const int client = ConnectTo(std::to_string(port).c_str());
  Send(client, "from the client\n");
  EXPECT(ReadLine(client) == "to the client");
  close(client);
  const int udp = socket(AF_INET, SOCK_DGRAM, 0);
  BindAnywhere(udp);
  const sockaddr_in address = Loopback(datagrams);
  for (const char *text : {"one", "two", "three", "four"})
    EXPECT(sendto(udp, text, strlen(text), 0, (const sockaddr *)&address, sizeof(address)) > 0);
  char data[16];
  EXPECT(recv(udp, data, sizeof(data), 0) == 3);
  Send(fd, "parts in several buffers\n");
  EXPECT(ReadLine(fd) == "a message");
  EXPECT(ReadLine(fd) == "messages");
  return 0;
}

static int server, udp;
static std::string served, received;

static void Serve() {
  sockaddr_in from = {};
  socklen_t size = sizeof(from);
  const int fd = accept4(server, (sockaddr *)&from, &size, SOCK_CLOEXEC);
  EXPECT(fd >= 0 && from.sin_family == AF_INET);
  sockaddr_in peer = {};
  size = sizeof(peer);
  EXPECT(!getpeername(fd, (sockaddr *)&peer, &size) && peer.sin_port == from.sin_port);
  served = ReadLine(fd) + ", port " + std::to_string(ntohs(from.sin_port));
  EXPECT(send(fd, "to the client\n", 14, MSG_NOSIGNAL) == 14);
  char end;
  EXPECT(recv(fd, &end, 1, 0) == 0);
  EXPECT(!shutdown(fd, SHUT_RDWR) || errno == ENOTCONN);
  close(fd);
}

static void Receive() {
  char data[4][16] = {};
  sockaddr_in from = {};
  socklen_t size = sizeof(from);
  EXPECT(recvfrom(udp, data[0], 16, 0, (sockaddr *)&from, &size) == 3);
  iovec part = {data[1], 16};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  EXPECT(recvmsg(udp, &message, 0) == 3);
  iovec parts[] = {{data[2], 16}, {data[3], 16}};
  mmsghdr messages[2] = {};
  for (int i = 0; i < 2; i++) {
    messages[i].msg_hdr.msg_iov = &parts[i];
    messages[i].msg_hdr.msg_iovlen = 1;
  }
  EXPECT(recvmmsg(udp, messages, 2, 0, nullptr) == 2);
  for (auto &each : data)
    received += std::string(each) + " ";
  received += "from port " + std::to_string(ntohs(from.sin_port));
  EXPECT(messages[0].msg_len == 5 && messages[1].msg_len == 4);
  EXPECT(sendto(udp, "end", 3, 0, (sockaddr *)&from, size) == 3);
}

int main(int argc, char **argv) {
  if (IsPeer(argc, argv))
    return Peer();
  server = socket(AF_INET, SOCK_STREAM, 0);
  const int port = BindAnywhere(server);
  EXPECT(!listen(server, 1));
  udp = socket(AF_INET, SOCK_DGRAM, 0);
  const int datagrams = BindAnywhere(udp);
  const int fd = ConnectTo(argv[1]);
  const int on = 1;
  EXPECT(!setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)));
  int type = 0, buffer = 0;
  socklen_t size = sizeof(type);
  EXPECT(!getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) && type == SOCK_STREAM);
  EXPECT(!getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &buffer, &size));
  printf("ports %d and %d, descriptors %d %d %d, room for %d bytes\n", port, datagrams, server, udp,
         fd, buffer);

  std::thread serving(Serve), receiving(Receive);
  Send(fd, std::to_string(port) + "\n" + std::to_string(datagrams) + "\n");
  serving.join();
  receiving.join();
  printf("served: %s\nreceived: %s\n", served.c_str(), received.c_str());

  char a[6], b[64] = {};
  iovec parts[] = {{a, sizeof(a)}, {b, sizeof(b)}};
  ssize_t got = 0;
  EXPECT(recv(fd, a, 1, MSG_PEEK) == 1);
  EXPECT((got = readv(fd, parts, 2)) > 0);
  printf("%.6s|%s(%zd)\n", a, b, got);
  char text[] = "a message\n";
  iovec part = {text, 10};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  EXPECT(sendmsg(fd, &message, 0) == 10);
  char more[] = "messages\n";
  iovec halves[] = {{more, 4}, {more + 4, 5}};
  mmsghdr messages[2] = {};
  for (int i = 0; i < 2; i++) {
    messages[i].msg_hdr.msg_iov = &halves[i];
    messages[i].msg_hdr.msg_iovlen = 1;
  }
  EXPECT(sendmmsg(fd, messages, 2, 0) == 2);
  EXPECT(messages[0].msg_len == 4 && messages[1].msg_len == 5);
  const sockaddr_in nobody = Loopback(port);
  close(server);
  const int refused = socket(AF_INET, SOCK_STREAM, 0);
  EXPECT(connect(refused, (const sockaddr *)&nobody, sizeof(nobody)) == -1);
  printf("refused: %d\n", errno == ECONNREFUSED);
}
// CHECK: ports {{.*}} descriptors 3 4 5
// CHECK: served: from the client
// CHECK: received: one two three four from port
// CHECK: parts |in several buffers
// CHECK: refused: 1
