// A thread is sent a signal by another while it is in a call that blocks, or about to be.
//
// RUN: %clangxx_heddle %s -o %t && %record_and_play --seeds 4 %t | %FileCheck %s
#include "heddle_test.h"
#include <errno.h>
#include <signal.h>
#include <thread>
#include <unistd.h>

static atomic<int> handled;
static void Handle(int) { handled++; }

static void Try(int flags) {
  struct sigaction action = {};
  action.sa_handler = Handle;
  action.sa_flags = flags;
  EXPECT(!sigaction(SIGUSR1, &action, nullptr));
  handled = 0;
  int ends[2];
  EXPECT(!pipe(ends));
  atomic<bool> ready{false};
  std::thread reader([&] {
    char byte = '-';
    ready = true;
    const ssize_t size = read(ends[0], &byte, 1);
    printf("flags %d: %zd, EINTR %d, byte %c, handled %d\n", flags != 0, size,
           size < 0 && errno == EINTR, byte, handled.load());
  });
  while (!ready)
    sched_yield();
  EXPECT(!pthread_kill(reader.native_handle(), SIGUSR1));
  while (!handled)
    sched_yield();
  EXPECT(write(ends[1], "x", 1) == 1);
  reader.join();
  close(ends[0]);
  close(ends[1]);
}

int main() {
  for (int i = 0; i < 5; i++) {
    Try(0);
    Try(SA_RESTART);
  }
  EXPECT(!raise(SIGUSR1));
  printf("raised: %d\n", handled.load());
}
// CHECK: flags 0: {{-1, EINTR 1, byte -|1, EINTR 0, byte x}}, handled 1
// CHECK: flags 1: 1, EINTR 0, byte x, handled 1
// CHECK: raised: 2
