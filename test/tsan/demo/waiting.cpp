// poll, select and epoll of all kinds say in a replay what they said in the recording.
//
// RUN: %clangxx_heddle %s -o %t && %record_and_play --peer %t | %FileCheck %s
#include "peer.h"
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <thread>

constexpr int kWays = 7;

static int Peer() {
  const int fd = AwaitProgram();
  for (int i = 0; i < kWays; i++) {
    EXPECT(ReadLine(fd) == "go");
    Send(fd, "answer " + std::to_string(i) + "\n");
  }
  return 0;
}

static int Wait(int way, int fd) {
  pollfd file = {fd, POLLIN, 0};
  const timespec minute = {60, 0};
  sigset_t none;
  sigemptyset(&none);
  fd_set set, others;
  FD_ZERO(&set);
  FD_ZERO(&others);
  FD_SET(fd, &set);
  timeval limit = {60, 0};
  int result = 0;
  switch (way) {
  case 0:
    result = poll(&file, 1, -1);
    EXPECT(file.revents == POLLIN);
    return result;
  case 1:
    result = ppoll(&file, 1, &minute, &none);
    EXPECT(file.revents == POLLIN);
    return result;
  case 2:
    result = select(fd + 1, &set, nullptr, &others, &limit);
    EXPECT(FD_ISSET(fd, &set) && !FD_ISSET(fd, &others));
    printf("%ld.%06ld s left\n", long(limit.tv_sec), long(limit.tv_usec));
    return result;
  case 3:
    result = pselect(fd + 1, &set, nullptr, nullptr, &minute, &none);
    EXPECT(FD_ISSET(fd, &set));
    return result;
  }
  const int waiter = way == 4 ? epoll_create(1) : epoll_create1(EPOLL_CLOEXEC);
  EXPECT(waiter >= 0);
  epoll_event event = {}, events[4];
  event.events = EPOLLIN;
  event.data.u64 = 1000 + way;
  EXPECT(!epoll_ctl(waiter, EPOLL_CTL_ADD, fd, &event));
  result = way == 4   ? epoll_wait(waiter, events, 4, -1)
           : way == 5 ? epoll_pwait(waiter, events, 4, -1, &none)
                      : epoll_pwait2(waiter, events, 4, &minute, &none);
  EXPECT(events[0].events == EPOLLIN && events[0].data.u64 == unsigned(1000 + way));
  close(waiter);
  return result;
}

int main(int argc, char **argv) {
  if (IsPeer(argc, argv))
    return Peer();
  const int fd = ConnectTo(argv[1]);
  // How often it looks in vain depends on time, and is the same in a replay.
  atomic<bool> done{false};
  int looks = 0;
  std::thread other([&] {
    pollfd file = {fd, POLLIN, 0};
    while (!done.load(relaxed)) {
      looks++;
      poll(&file, 1, 0);
    }
  });
  for (int way = 0; way < kWays; way++) {
    Send(fd, "go\n");
    const int ready = Wait(way, fd);
    printf("%d: %d, %s\n", way, ready, ReadLine(fd).c_str());
  }
  done = true;
  other.join();
  printf("looked %d times\n", looks);
  pollfd file = {fd, POLLIN, 0};
  EXPECT(poll(&file, 1, -1) == 1);
  printf("end: %x\n", file.revents);
}
// CHECK: 0: 1, answer 0
// CHECK: 1: 1, answer 1
// CHECK: s left
// CHECK: 2: 1, answer 2
// CHECK: 3: 1, answer 3
// CHECK: 4: 1, answer 4
// CHECK: 5: 1, answer 5
// CHECK: 6: 1, answer 6
// CHECK: looked
// CHECK: end: 1
