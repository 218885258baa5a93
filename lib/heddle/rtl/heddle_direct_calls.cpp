//===-- heddle_direct_calls.cpp - syscall() as the function of libc -------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row for each call whose function takes the same arguments. The functions are those that the
// program would call, so ours and upstream's interceptors are in them.
//
// Not here: process ids (heddle_process_ids.h), forks, futexes, what creates mappings, and calls
// that libc does not make with the same arguments.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_direct_calls.h"

#include "sanitizer_common/sanitizer_libc.h"

#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/msg.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace __heddle {
namespace {

// An argument, as the type that the function wants.
struct Argument {
  long value;
  template <class T> operator T() const { return (T)value; }
};

// The kernel's set of signals is shorter than libc's.
class Signals {
public:
  Signals(const void *kernels, unsigned long size) : given_(kernels) {
    __sanitizer::internal_memset(&set_, 0, sizeof(set_));
    if (given_)
      __sanitizer::internal_memcpy(&set_, given_, size < sizeof(set_) ? size : sizeof(set_));
  }
  const sigset_t *Set() const { return given_ ? &set_ : nullptr; }

private:
  sigset_t set_;
  const void *given_;
};

// The last argument of pselect6.
struct SizedSignals {
  const void *signals;
  unsigned long size;
};

int SelectWithSignals(int count, fd_set *read, fd_set *write, fd_set *except, timespec *limit,
                      const SizedSignals *sized) {
  const Signals signals(sized ? sized->signals : nullptr, sized ? sized->size : 0);
  return pselect(count, read, write, except, limit, signals.Set());
}

int SleepUntil(clockid_t clock, int flags, const timespec *time, timespec *left) {
  const int error = clock_nanosleep(clock, flags, time, left);
  if (!error)
    return 0;
  errno = error;
  return -1;
}

} // namespace

// clang-format off
#define CALL(name, ...) case SYS_##name: *result = long(name(__VA_ARGS__)); return true;
#define CALL_AS(name, call) case SYS_##name: *result = long(call); return true;
// clang-format on

bool CallLikeLibc(long number, const long (&arguments)[6], long *result) {
  const Argument a{arguments[0]}, b{arguments[1]}, c{arguments[2]}, d{arguments[3]},
      e{arguments[4]}, f{arguments[5]};
  switch (number) {
    CALL(read, a, b, c)
    CALL(write, a, b, c)
    CALL(readv, a, b, c)
    CALL(writev, a, b, c)
    CALL(pread64, a, b, c, d)
    CALL(pwrite64, a, b, c, d)
    CALL(recvfrom, a, b, c, d, e, f)
    CALL(recvmsg, a, b, c)
    CALL(recvmmsg, a, b, c, d, e)
    CALL(sendto, a, b, c, d, e, f)
    CALL(sendmsg, a, b, c)
    CALL(sendmmsg, a, b, c, d)
    CALL(accept, a, b, c)
    CALL(accept4, a, b, c, d)
    CALL(connect, a, b, c)
    CALL(getsockname, a, b, c)
    CALL(getpeername, a, b, c)
    CALL(getsockopt, a, b, c, d, e)
    CALL(socket, a, b, c)
    CALL(socketpair, a, b, c, d)
    CALL(close, a)
    CALL(close_range, a, b, c)
    CALL(dup, a)
    CALL(dup3, a, b, c)
    CALL(pipe2, a, b)
    CALL_AS(eventfd2, eventfd(a, b))
    CALL(epoll_create1, a)
    CALL(timerfd_create, a, b)
    CALL(splice, a, b, c, d, e, f)
    CALL(sendfile, a, b, c, d)
    CALL(flock, a, b)
    CALL(semop, a, b, c)
    CALL(semtimedop, a, b, c, d)
    CALL(msgsnd, a, b, c, d)
    CALL(msgrcv, a, b, c, d, e)
    CALL(mq_timedsend, a, b, c, d, e)
    CALL(mq_timedreceive, a, b, c, d, e)
    CALL(getrandom, a, b, c)
    CALL(clock_gettime, a, b)
    CALL(gettimeofday, a, static_cast<void *>(b))
    CALL(nanosleep, a, b)
    CALL_AS(clock_nanosleep, SleepUntil(a, b, c, d))
    CALL_AS(ppoll, ppoll(a, b, c, Signals(d, e).Set()))
    CALL_AS(pselect6, SelectWithSignals(a, b, c, d, e, f))
    CALL_AS(epoll_pwait, epoll_pwait(a, b, c, d, Signals(e, f).Set()))
    CALL_AS(rt_sigtimedwait, sigtimedwait(Signals(a, d).Set(), b, c))
    CALL_AS(rt_sigsuspend, sigsuspend(Signals(a, b).Set()))
#ifdef SYS_poll // not on newer architectures
    CALL(dup2, a, b)
    CALL(poll, a, b, c)
    CALL(select, a, b, c, d, e)
    CALL(epoll_wait, a, b, c, d)
    CALL(pause)
    CALL(time, a)
#endif
  default:
    return false;
  }
}

#undef CALL
#undef CALL_AS

} // namespace __heddle
