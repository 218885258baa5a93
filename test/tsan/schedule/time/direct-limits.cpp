// A system call by its number is the function of libc: it tells logical time, and moves it by its
// limit if it gives up.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %every_schedule %t
#include "heddle_test.h"
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <unistd.h>

static long Milliseconds() {
  timespec now;
  EXPECT(!syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now));
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static long OfLibc() {
  timespec now;
  EXPECT(!clock_gettime(CLOCK_MONOTONIC, &now));
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

#define TAKES_50_MS(call)                                                                          \
  do {                                                                                             \
    const long before = OfLibc();                                                                  \
    EXPECT(call);                                                                                  \
    const long after = OfLibc();                                                                   \
    EXPECT(after >= before + 50 && after < before + 10000);                                        \
  } while (0)

int main() {
  const long start = Milliseconds();
  const timespec hour = {3600, 0};
  EXPECT(!syscall(SYS_nanosleep, &hour, nullptr)); // takes none of the system's time
  EXPECT(Milliseconds() >= start + 3600 * 1000 && OfLibc() - Milliseconds() < 1000);

  int ends[2];
  EXPECT(!pipe(ends));
  const int epoll = epoll_create1(0);
  epoll_event event = {EPOLLIN, {}};
  EXPECT(epoll >= 0 && !epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event));
  pollfd file = {ends[0], POLLIN, 0};
  const timespec limit = {0, 50'000'000};
  timespec own = limit;
  unsigned long none = 0, usr1 = 1ul << (SIGUSR1 - 1);
  sigset_t block;
  sigemptyset(&block);
  sigaddset(&block, SIGUSR1);
  EXPECT(!sigprocmask(SIG_BLOCK, &block, nullptr));
  fd_set files;
  FD_ZERO(&files);
  struct {
    const void *signals;
    unsigned long size;
  } sized = {&none, sizeof(none)};

  TAKES_50_MS(!syscall(SYS_ppoll, &file, 1, &own, &none, sizeof(none)));
  TAKES_50_MS(!syscall(SYS_epoll_pwait, epoll, &event, 1, 50, &none, sizeof(none)));
  FD_SET(ends[0], &files);
  own = limit;
  TAKES_50_MS(!syscall(SYS_pselect6, ends[0] + 1, &files, nullptr, nullptr, &own, &sized));
  TAKES_50_MS(syscall(SYS_rt_sigtimedwait, &usr1, nullptr, &limit, sizeof(usr1)) == -1);
  TAKES_50_MS(!syscall(SYS_nanosleep, &limit, nullptr));
  TAKES_50_MS(!syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &limit, nullptr));
  EXPECT(syscall(SYS_clock_nanosleep, 1000, 0, &limit, nullptr) == -1);
#ifdef SYS_poll
  TAKES_50_MS(!syscall(SYS_poll, &file, 1, 50));
  TAKES_50_MS(!syscall(SYS_epoll_wait, epoll, &event, 1, 50));
  timeval time = {0, 50'000};
  FD_SET(ends[0], &files);
  TAKES_50_MS(!syscall(SYS_select, ends[0] + 1, &files, nullptr, nullptr, &time));
#endif
}
