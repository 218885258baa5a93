// All threads wait, or spin, until a timer's signal comes, and its handler changes something: this is
// neither a deadlock nor a livelock as long as a timer runs. When none does any more, it is.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %every_schedule --kernel --seeds 1 %t itimer
// RUN: %every_schedule --kernel --seeds 1 %t create
// RUN: %every_schedule --kernel --seeds 1 %t spin
// RUN: %every_schedule --kernel --seeds 1 --exit 66 %t stopped | %FileCheck %s
// RUN: %every_schedule --kernel --seeds 1 --exit 66 %t ignored | %FileCheck %s
// CHECK: WARNING: ThreadSanitizer: deadlock
#include "heddle_test.h"
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

static sem_t semaphore;
static atomic<int> signals;

static void Handle(int) {
  if (++signals == 3)
    sem_post(&semaphore);
}

static void Start(bool create, bool again, int microseconds) {
  if (!create) {
    itimerval timer = {{0, again ? microseconds : 0}, {0, microseconds}};
    EXPECT(!setitimer(ITIMER_REAL, &timer, nullptr));
    return;
  }
  sigevent event = {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGALRM;
  timer_t timer;
  itimerspec time = {{0, microseconds * 1000}, {0, microseconds * 1000}};
  EXPECT(!timer_create(CLOCK_MONOTONIC, &event, &timer) && !timer_settime(timer, 0, &time, nullptr));
}

int main(int, char **arguments) {
  const char *what = arguments[1];
  const bool ignored = !strcmp(what, "ignored");
  sem_init(&semaphore, 0, 0);
  struct sigaction action = {};
  action.sa_handler = ignored ? SIG_IGN : Handle;
  EXPECT(!sigaction(SIGALRM, &action, nullptr));
  const bool spin = !strcmp(what, "spin"); // for long enough to look like a livelock
  Start(!strcmp(what, "create"), strcmp(what, "stopped") && !ignored, spin ? 500000 : 20000);
  if (spin) {
    while (signals < 3) {
    }
  } else {
    while (sem_wait(&semaphore)) {
    }
  }
}
