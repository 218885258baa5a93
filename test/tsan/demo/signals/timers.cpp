// Timers of the system: alarm, setitimer, timer_create, timerfd. A replay does not start them.
//
// RUN: %clangxx_heddle %s -o %t && %record_and_play %t | %FileCheck %s
#include "heddle_test.h"
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <unistd.h>

static atomic<int> handled, expired;
static void Handle(int, siginfo_t *info, void *) {
  handled++;
  if (info->si_code == SI_TIMER)
    expired += info->si_value.sival_int;
}

static long Spin(int until) {
  long count = 0;
  for (; handled.load() < until; count++)
    ;
  return count;
}

int main() {
  struct sigaction action = {};
  action.sa_sigaction = Handle;
  action.sa_flags = SA_SIGINFO;
  EXPECT(!sigaction(SIGALRM, &action, nullptr));
  EXPECT(!sigaction(SIGUSR1, &action, nullptr));

  EXPECT(alarm(100) == 0);
  printf("alarm: %u s left\n", alarm(0));

  const itimerval often = {{0, 1000}, {0, 1000}}, never = {};
  itimerval old = {};
  EXPECT(!setitimer(ITIMER_REAL, &often, nullptr));
  const long spun = Spin(3);
  EXPECT(!getitimer(ITIMER_REAL, &old));
  printf("setitimer: %ld loops, %ld us left\n", spun, long(old.it_value.tv_usec));
  EXPECT(!setitimer(ITIMER_REAL, &never, &old));
  printf("%ld us left, interval %ld\n", long(old.it_value.tv_usec), long(old.it_interval.tv_usec));
  handled = 0;

  sigevent event;
  memset(&event, 0, sizeof(event));
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGUSR1;
  event.sigev_value.sival_int = 7;
  timer_t timer;
  EXPECT(!timer_create(CLOCK_MONOTONIC, &event, &timer));
  const itimerspec soon = {{0, 1000000}, {0, 1000000}};
  itimerspec left = {};
  EXPECT(!timer_settime(timer, 0, &soon, nullptr));
  const long more = Spin(2);
  EXPECT(!timer_gettime(timer, &left));
  const int overrun = timer_getoverrun(timer);
  printf("timer_create: %ld loops, %ld ns left, overrun %d\n", more, long(left.it_value.tv_nsec),
         overrun);
  EXPECT(!timer_delete(timer));
  EXPECT(expired == handled * 7);

  const int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  EXPECT(fd >= 0);
  itimerspec before = {};
  EXPECT(!timerfd_settime(fd, 0, &soon, &before));
  uint64_t times = 0;
  EXPECT(read(fd, &times, sizeof(times)) == sizeof(times));
  EXPECT(!timerfd_gettime(fd, &left));
  printf("timerfd: %d times, %ld ns left\n", int(times), long(left.it_value.tv_nsec));
  close(fd);
}
// CHECK: alarm: {{100|99}} s left
// CHECK: setitimer:
// CHECK: interval 1000
// CHECK: timer_create:
// CHECK: timerfd:
