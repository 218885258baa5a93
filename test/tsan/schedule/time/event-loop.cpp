// The loop of a server: what another process sends wakes it before the limit of each wait, and still a
// timer of it comes. The same in a replay, without the other process.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: bash -c 'set -e; for options in schedule=random schedule=queue "schedule=random weak_memory=mograph"; do \
// RUN:   rm -rf %t.demo %t.fifo; mkfifo %t.fifo; \
// RUN:   (while :; do echo; sleep 0.01; done) > %t.fifo & \
// RUN:   TSAN_OPTIONS="$options record_demo=%t.demo" %t %t.fifo > %t.recorded; \
// RUN:   TSAN_OPTIONS="play_demo=%t.demo" %t %t.fifo > %t.played; diff %t.recorded %t.played; done'
#include "heddle_test.h"
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

static long Milliseconds() {
  timespec now;
  EXPECT(!clock_gettime(CLOCK_MONOTONIC, &now));
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int main(int, char **arguments) {
  const int file = open(arguments[1], O_RDONLY);
  const long start = Milliseconds(), timer = start + 100;
  int woken = 0;
  for (long now = start; now < timer; now = Milliseconds()) {
    pollfd wait = {file, POLLIN, 0};
    if (!poll(&wait, 1, int(timer - now)))
      continue;
    char data[64];
    EXPECT(read(file, data, sizeof(data)) > 0);
    woken++;
  }
  printf("%d messages in %ld ms\n", woken, Milliseconds() - start);
}
