// A signal that is handled when a thread is about to make a call that waits: the handler's own calls, recorded ones that
// are no operations and ones that wait, are in no other call.
//
// RUN: %clangxx_heddle %s -o %t && %record_and_play --seeds 3 --options one_at_a_time=1 %t
// RUN: %record_and_play --seeds 3 %t
// RUN: %six_modes %t six
#include "heddle_test.h"
#include <atomic>
#include <poll.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/time.h>
#include <thread>
#include <unistd.h>

constexpr int kSignals = 100;
static std::atomic<int> handled, right;
static int ends[2];

static void Handle(int) {
  char byte = 0;
  right += getpid() > 0 && getrandom(&byte, 1, 0) == 1 && poll(nullptr, 0, 0) == 0 && write(ends[1], "x", 1) == 1 &&
           read(ends[0], &byte, 1) == 1;
  handled++;
}

// Only the main thread takes the signals, which come at any time.
int main(int argc, char **) {
  EXPECT(!pipe(ends));
  struct sigaction action = {};
  action.sa_handler = Handle;
  EXPECT(!sigaction(SIGALRM, &action, nullptr));
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGALRM);
  EXPECT(!sigprocmask(SIG_BLOCK, &signals, nullptr));
  std::atomic<bool> over{false};
  std::thread thread([&] {
    while (!over)
      std::this_thread::yield();
  });
  EXPECT(!sigprocmask(SIG_UNBLOCK, &signals, nullptr));
  const itimerval often = {{0, 300}, {0, 300}}, never = {};
  EXPECT(!setitimer(ITIMER_REAL, &often, nullptr));
  int waits = 0;
  while (handled < kSignals) {
    poll(nullptr, 0, 0);
    pollfd file = {ends[0], POLLIN, 0};
    poll(&file, 1, 1);
    waits++;
  }
  EXPECT(!setitimer(ITIMER_REAL, &never, nullptr));
  over = true;
  thread.join();
  EXPECT(right == handled);
  printf("%d waits\n", argc > 1 ? 0 : waits);
}
