// A handler writes to a pipe that its thread waits for. The signal comes once, on the way to the
// call or in it, and must be handled before the call can end.
//
// RUN: %clangxx_heddle %s -o %t && %record_and_play %t | %FileCheck %s
#include "heddle_test.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/time.h>
#include <unistd.h>

static int ends[2];
static void Handle(int) { EXPECT(write(ends[1], "x", 1) == 1); }

static int Wait(int way) {
  pollfd file = {ends[0], POLLIN, 0};
  fd_set set;
  FD_ZERO(&set);
  FD_SET(ends[0], &set);
  sigset_t none;
  sigemptyset(&none);
  switch (way % 4) {
  case 0:
    return select(ends[0] + 1, &set, nullptr, nullptr, nullptr);
  case 1:
    return pselect(ends[0] + 1, &set, nullptr, nullptr, nullptr, &none);
  case 2:
    return poll(&file, 1, -1);
  default:
    return 1; // read itself waits
  }
}

int main() {
  EXPECT(!pipe(ends));
  struct sigaction action = {};
  action.sa_handler = Handle;
  action.sa_flags = SA_RESTART;
  EXPECT(!sigaction(SIGALRM, &action, nullptr));
  int interrupted = 0;
  for (int i = 0; i < 20; i++) {
    const itimerval soon = {{0, 0}, {0, 1 + 50 * (i / 4)}};
    EXPECT(!setitimer(ITIMER_REAL, &soon, nullptr));
    while (Wait(i) != 1) {
      EXPECT(errno == EINTR);
      interrupted++;
    }
    char byte = 0;
    EXPECT(read(ends[0], &byte, 1) == 1 && byte == 'x');
  }
  printf("interrupted %d times\n", interrupted);
}
// CHECK: interrupted
