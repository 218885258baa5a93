// A signal in a blocking call: the call fails with EINTR, or goes on with SA_RESTART. What the
// handler itself reads and writes is part of the recording.
//
// RUN: %clangxx_heddle %s -o %t && %record_and_play --peer %t | %FileCheck %s
#include "peer.h"
#include <signal.h>
#include <sys/time.h>

static int Peer() {
  const int fd = AwaitProgram();
  const int program = atoi(ReadLine(fd).c_str());
  for (std::string line = ReadLine(fd); !line.empty(); line = ReadLine(fd)) {
    if (line == "signal")
      EXPECT(!kill(program, SIGUSR1));
    else if (line == "handled")
      Send(fd, "data\n");
  }
  return 0;
}

static int peer;
static int alarms, signals;

static void HandleAlarm(int) { alarms++; }
static void HandleSignal(int) {
  signals++;
  Send(peer, "handled\n");
}

int main(int argc, char **argv) {
  if (IsPeer(argc, argv))
    return Peer();
  struct sigaction action = {};
  action.sa_handler = HandleAlarm;
  EXPECT(!sigaction(SIGALRM, &action, nullptr));
  action.sa_handler = HandleSignal;
  action.sa_flags = SA_RESTART;
  EXPECT(!sigaction(SIGUSR1, &action, nullptr));
  peer = ConnectTo(argv[1]);

  // The next alarm ends it, if the first came before it began.
  const itimerval often = {{0, 2000}, {0, 2000}}, never = {};
  EXPECT(!setitimer(ITIMER_REAL, &often, nullptr));
  char byte;
  ssize_t result = read(peer, &byte, 1);
  printf("read: %zd, EINTR: %d, handled: %d\n", result, errno == EINTR, alarms > 0);
  result = recv(peer, &byte, 1, 0);
  printf("recv: %zd, EINTR: %d\n", result, errno == EINTR);
  EXPECT(!setitimer(ITIMER_REAL, &never, nullptr));
  printf("alarms: %d\n", alarms);

  Send(peer, std::to_string(getpid()) + "\n");
  for (int i = 0; i < 3; i++) {
    Send(peer, "signal\n");
    printf("%s, after %d signals\n", ReadLine(peer).c_str(), signals);
  }
}
// CHECK: read: -1, EINTR: 1, handled: 1
// CHECK: recv: -1, EINTR: 1
// CHECK: alarms: {{[1-9]}}
// CHECK: data, after 1 signals
// CHECK: data, after 2 signals
// CHECK: data, after 3 signals
