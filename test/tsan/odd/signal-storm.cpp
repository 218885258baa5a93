// A storm of signals, to a thread that does something else, and out of whose handler some jump.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %t 100000
// RUN: env TSAN_OPTIONS="schedule=random seed=1" %t 100000
// RUN: %six_modes --seeds 1 %t 500
// RUN: %record_and_play %t 3000
#include "heddle_test.h"
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <thread>

static std::atomic<int> handled;
static thread_local sigjmp_buf place;
static thread_local bool may_jump;

static void Handle(int) {
  const int count = ++handled;
  if (may_jump && count % 7 == 0)
    siglongjmp(place, 1);
}

int main(int, char **argv) {
  const int signals = atoi(argv[1]);
  struct sigaction action = {};
  action.sa_handler = Handle;
  EXPECT(!sigaction(SIGUSR1, &action, nullptr));
  std::atomic<bool> ready{false}, over{false};
  std::thread target([&] {
    volatile int rounds = 0;
    sigsetjmp(place, 1);
    may_jump = true;
    ready = true;
    while (!over) {
      rounds = rounds + 1;
      std::this_thread::yield();
    }
    may_jump = false;
  });
  while (!ready)
    std::this_thread::yield();
  for (int i = 0; i < signals; i++) {
    EXPECT(!pthread_kill(target.native_handle(), SIGUSR1));
    while (handled <= i)
      std::this_thread::yield();
  }
  over = true;
  target.join();
  EXPECT(handled == signals);
  printf("%d\n", signals);
}
