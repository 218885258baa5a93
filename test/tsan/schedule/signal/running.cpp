// A thread that is sent a signal between two operations handles it after the next, also if that is its
// last; where that is depends on nothing but the seed. So it is with the value of a queued one.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule --seeds 5 %t
#include "heddle_test.h"
#include <signal.h>

static atomic<int> steps;
static int handled_at, handled, queued;

static void Handle(int) {
  handled++;
  handled_at = steps; // an operation: it is in the trace
}
static void HandleQueued(int, siginfo_t *info, void *) {
  EXPECT(info->si_code == SI_QUEUE && info->si_value.sival_int == 7);
  queued++;
}

static void *Work(void *) {
  for (int i = 0; i < 10; i++)
    steps++;
  return nullptr;
}

int main() {
  struct sigaction action = {};
  action.sa_handler = Handle;
  EXPECT(!sigaction(SIGUSR1, &action, nullptr));
  action.sa_sigaction = HandleQueued;
  action.sa_flags = SA_SIGINFO;
  EXPECT(!sigaction(SIGUSR2, &action, nullptr));
  pthread_t thread;
  pthread_create(&thread, nullptr, Work, nullptr);
  sigval value;
  value.sival_int = 7;
  EXPECT(!pthread_sigqueue(thread, SIGUSR2, value));
  const bool ended = steps == 10;
  EXPECT(!pthread_kill(thread, SIGUSR1));
  pthread_join(thread, nullptr);
  // It may have ended in between: then the signal is lost, as it is without a schedule.
  EXPECT(handled <= 1 && queued <= 1 && (ended || queued == 1));
}
