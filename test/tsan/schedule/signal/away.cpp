// A thread that waits in the kernel gets a signal at once: it handles it, or has waited for it. One
// that has ended gets none, and that is no error until it is joined.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule --kernel %t
#include "heddle_test.h"
#include <errno.h>
#include <signal.h>
#include <unistd.h>

static int ends[2];
static atomic<int> handled, state;
static void Handle(int) { handled++; }

static void *Read(void *) {
  char byte;
  state = 1;
  for (;;) {
    ssize_t size = read(ends[0], &byte, 1);
    EXPECT(size == 1 || errno == EINTR);
    if (size == 1)
      break;
  }
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  state = 2;
  int signal;
  EXPECT(!sigwait(&signals, &signal) && signal == SIGUSR1);
  return nullptr;
}

static void *End(void *) {
  state = 3;
  return nullptr;
}

int main() {
  EXPECT(!pipe(ends));
  struct sigaction action = {};
  action.sa_handler = Handle;
  EXPECT(!sigaction(SIGUSR1, &action, nullptr));
  pthread_t thread;
  pthread_create(&thread, nullptr, Read, nullptr);
  while (state != 1)
    sched_yield();
  EXPECT(!pthread_kill(thread, SIGUSR1));
  while (!handled)
    sched_yield();
  EXPECT(write(ends[1], "x", 1) == 1);
  while (state != 2)
    sched_yield();
  EXPECT(!pthread_kill(thread, SIGUSR1));
  pthread_join(thread, nullptr);
  EXPECT(handled == 1);

  pthread_create(&thread, nullptr, End, nullptr);
  while (state != 3)
    sched_yield();
  EXPECT(!pthread_kill(thread, SIGUSR1));
  pthread_join(thread, nullptr);
}
