// When a timer expires, so much time has passed on the program's clocks, though it may be ahead of the
// system's: timers of each kind, relative and absolute, once and again and again, recorded and played.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule --seeds 1 --kernel %t
// RUN: bash -c 'set -e; for schedule in random queue; do rm -rf %t.demo; \
// RUN:   TSAN_OPTIONS="schedule=$schedule record_demo=%t.demo" %t print > %t.recorded; \
// RUN:   TSAN_OPTIONS="play_demo=%t.demo" %t print > %t.played; diff %t.recorded %t.played; done'
#include "heddle_test.h"
#include <functional>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <thread>
#include <unistd.h>

const long kSecond = 1000000000, kLimit = 3000000; // nanoseconds
static sem_t semaphore;
static bool prints;

static long Now(clockid_t clock = CLOCK_MONOTONIC) {
  timespec now;
  EXPECT(!clock_gettime(clock, &now));
  return now.tv_sec * kSecond + now.tv_nsec;
}

static timespec Time(long nanoseconds) {
  return {nanoseconds / kSecond, nanoseconds % kSecond};
}

static void ExpectTimer(const char *name, int times, const std::function<void()> &wait) {
  const long start = Now();
  wait();
  const long waited = Now() - start;
  if (waited < times * kLimit || waited > 1000 * kSecond) {
    fprintf(stderr, "%s: %ld nanoseconds\n", name, waited);
    _exit(1);
  }
  if (prints)
    printf("%s %ld\n", name, waited);
}

static void Descriptors(clockid_t clock) {
  const int fd = timerfd_create(clock, 0);
  const auto read_times = [&](u_int64_t times) {
    for (u_int64_t all = 0, more; all < times; all += more) {
      pollfd file = {fd, POLLIN, 0};
      EXPECT(poll(&file, 1, -1) == 1);
      EXPECT(read(fd, &more, sizeof(more)) == sizeof(more));
    }
  };
  ExpectTimer("relative", 1, [&] {
    itimerspec time = {{}, Time(kLimit)};
    EXPECT(!timerfd_settime(fd, 0, &time, nullptr));
    read_times(1);
  });
  ExpectTimer("absolute", 1, [&] {
    itimerspec time = {{}, Time(Now(clock) + kLimit)};
    EXPECT(!timerfd_settime(fd, TFD_TIMER_ABSTIME, &time, nullptr));
    read_times(1);
  });
  ExpectTimer("again", 3, [&] {
    itimerspec time = {Time(kLimit), Time(kLimit)};
    EXPECT(!timerfd_settime(fd, 0, &time, nullptr));
    read_times(3);
  });
  itimerspec none = {}, left;
  EXPECT(!timerfd_settime(fd, 0, &none, nullptr) && !timerfd_gettime(fd, &left));
  EXPECT(!left.it_value.tv_sec && !left.it_value.tv_nsec);
  itimerspec past = {{}, {1, 0}}; // expires at once
  EXPECT(!timerfd_settime(fd, TFD_TIMER_ABSTIME, &past, nullptr));
  read_times(1);
  close(fd);
}

static void Wait() {
  while (sem_wait(&semaphore)) {
  }
}

static void Signals() {
  signal(SIGALRM, [](int) { sem_post(&semaphore); });
  sigevent event = {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGALRM;
  timer_t timer;
  EXPECT(!timer_create(CLOCK_REALTIME, &event, &timer));
  ExpectTimer("timer_settime", 1, [&] {
    itimerspec time = {{}, Time(kLimit)};
    EXPECT(!timer_settime(timer, 0, &time, nullptr));
    Wait();
  });
  ExpectTimer("timer_settime, absolute", 1, [&] {
    itimerspec time = {{}, Time(Now(CLOCK_REALTIME) + kLimit)};
    EXPECT(!timer_settime(timer, TIMER_ABSTIME, &time, nullptr));
    Wait();
  });
  EXPECT(!timer_delete(timer));
  ExpectTimer("setitimer", 1, [&] {
    itimerval time = {{}, {0, kLimit / 1000}};
    EXPECT(!setitimer(ITIMER_REAL, &time, nullptr));
    Wait();
  });
  ExpectTimer("ualarm", 1, [&] {
    ualarm(kLimit / 1000, 0);
    Wait();
  });
}

int main(int count, char **) {
  prints = count > 1;
  sem_init(&semaphore, 0, 0);
  std::thread([] { sleep(10000); }).join(); // the program's clocks are ahead
  Descriptors(CLOCK_MONOTONIC);
  Descriptors(CLOCK_REALTIME);
  Signals();
}
