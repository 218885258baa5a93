//===-- heddle_interceptors_blocking.cpp - Calls that may block -----------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call that may wait for something outside of the schedule, a row each, with the
// condition under which it may. If it holds, the thread is away from the schedule
// during the call: one tick to leave, one to come back, and when it comes back is up
// to the kernel. Otherwise the call is one operation, and as repeatable as what
// it returns.
//
// What does not wait: files that are neither pipes, sockets nor devices, descriptors
// that are O_NONBLOCK, and calls with a flag or a limit that says so. That a
// descriptor is ready, as poll would tell, is not enough: another process, or a
// thread that is in such a call already, may be faster, and a thread that waits in
// the kernel with the turn stops all others.
//
// Upstream's interceptors do their work within the call. Some of them leave the
// schedule by themselves (the seam blocking-call); this then does nothing.
//
// Not here: stdio's reads and writes, which call the kernel from within libc. A
// thread that is stuck there is noticed after a time slice.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_cancel.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_time.h"
#include "sanitizer_common/sanitizer_posix.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/random.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

using namespace __sanitizer;
using namespace __tsan;
using namespace __heddle;

namespace {

int RealFcntl(int fd, int command, void *argument) {
  static atomic_uintptr_t real;
  return reinterpret_cast<int (*)(int, int, ...)>(FindReal("fcntl", real))(fd, command, argument);
}

// Whether reading or writing may have to wait.
bool FileMayWait(int fd) {
  struct stat status;
  if (internal_iserror(internal_fstat(fd, &status)))
    return false; // an error
  if (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode) || S_ISBLK(status.st_mode))
    return false;
  const int flags = RealFcntl(fd, F_GETFL, nullptr);
  return flags != -1 && !(flags & O_NONBLOCK);
}
bool SocketMayWait(int fd, int flags) { return !(flags & MSG_DONTWAIT) && FileMayWait(fd); }

// Opening one end of a FIFO waits for the other.
bool OpenMayWait(int directory, const char *path, int flags) {
  struct stat status;
  return !(flags & O_NONBLOCK) && path && !fstatat(directory, path, &status, 0) &&
         S_ISFIFO(status.st_mode);
}

u64 Nanoseconds(const timespec &time) { return u64(time.tv_sec) * 1000000000 + time.tv_nsec; }
u64 Nanoseconds(const timeval &time) {
  return u64(time.tv_sec) * 1000000000 + u64(time.tv_usec) * 1000;
}
bool IsZero(const timespec *time) { return time && !time->tv_sec && !time->tv_nsec; }

// Operations on one descriptor are in conflict. Not the address of anything.
const void *ObjectOf(int fd) { return reinterpret_cast<const void *>(~uptr(u32(fd))); }
constexpr int kNoFile = -1;

template <class Call>
auto Perform(ThreadState *thr, ScopedInterceptor &si, uptr pc, int fd, bool may_wait, Call call)
    -> decltype(call()) {
  if (may_wait) {
    return CallCancellable(thr, [&] {
      AwayFromSchedule away(thr);
      return call();
    });
  }
  VisibleOperation visible(thr, pc, OperationKind::kSystemCall,
                           fd == kNoFile ? nullptr : ObjectOf(fd));
  if (CancelRequested(thr)) {
    visible.End();
    ActOnCancel(si);
  }
  auto result = call();
  if (result == decltype(result)(-1))
    visible.Unproductive();
  return result;
}

} // namespace

//===-- Those that upstream intercepts ------------------------------------===//

// The result, the name, the parameters, the arguments, the descriptor, and when it
// may wait.
#define BLOCKING(result, name, parameters, arguments, fd, may_wait)                                \
  extern "C" result __interceptor_##name parameters;                                               \
  HEDDLE_WEAK_FUNCTION(result, name, parameters) {                                                 \
    if (LIKELY(!schedule_controlled))                                                              \
      return __interceptor_##name arguments;                                                       \
    HEDDLE_CONTROLLED_OR(name, return __interceptor_##name arguments);                             \
    return Perform(thr, si, pc, fd, may_wait, [&] { return __interceptor_##name arguments; });     \
  }

// With nothing to wait for it is a sleep, and ends when its time is over.
#define BLOCKING_OR_SLEEP(result, name, parameters, arguments, may_wait, sleeps, nanoseconds)      \
  extern "C" result __interceptor_##name parameters;                                               \
  HEDDLE_WEAK_FUNCTION(result, name, parameters) {                                                 \
    if (LIKELY(!schedule_controlled))                                                              \
      return __interceptor_##name arguments;                                                       \
    HEDDLE_CONTROLLED_OR(name, return __interceptor_##name arguments);                             \
    if ((sleeps) && TimeIsLogical()) {                                                             \
      SleepFor(thr, si, pc, nanoseconds);                                                          \
      return 0;                                                                                    \
    }                                                                                              \
    return Perform(thr, si, pc, kNoFile, may_wait,                                                 \
                   [&] { return __interceptor_##name arguments; });                                \
  }

// clang-format off
BLOCKING(sptr, read, (int fd, void *data, uptr size), (fd, data, size), fd, FileMayWait(fd))
BLOCKING(sptr, pread, (int fd, void *data, uptr size, off_t at), (fd, data, size, at), fd, FileMayWait(fd))
BLOCKING(sptr, pread64, (int fd, void *data, uptr size, off64_t at), (fd, data, size, at), fd, FileMayWait(fd))
BLOCKING(sptr, readv, (int fd, const iovec *parts, int count), (fd, parts, count), fd, FileMayWait(fd))
BLOCKING(sptr, preadv, (int fd, const iovec *parts, int count, off_t at), (fd, parts, count, at), fd, FileMayWait(fd))
BLOCKING(sptr, preadv64, (int fd, const iovec *parts, int count, off64_t at), (fd, parts, count, at), fd, FileMayWait(fd))
BLOCKING(sptr, write, (int fd, const void *data, uptr size), (fd, data, size), fd, FileMayWait(fd))
BLOCKING(sptr, pwrite, (int fd, const void *data, uptr size, off_t at), (fd, data, size, at), fd, FileMayWait(fd))
BLOCKING(sptr, pwrite64, (int fd, const void *data, uptr size, off64_t at), (fd, data, size, at), fd, FileMayWait(fd))
BLOCKING(sptr, writev, (int fd, const iovec *parts, int count), (fd, parts, count), fd, FileMayWait(fd))
BLOCKING(sptr, pwritev, (int fd, const iovec *parts, int count, off_t at), (fd, parts, count, at), fd, FileMayWait(fd))
BLOCKING(sptr, pwritev64, (int fd, const iovec *parts, int count, off64_t at), (fd, parts, count, at), fd, FileMayWait(fd))
BLOCKING(int, eventfd_read, (int fd, u64 *value), (fd, value), fd, FileMayWait(fd))
BLOCKING(int, eventfd_write, (int fd, u64 value), (fd, value), fd, FileMayWait(fd))

BLOCKING(int, connect, (int fd, const void *address, u32 size), (fd, address, size), fd, FileMayWait(fd))
BLOCKING(int, accept, (int fd, void *address, u32 *size), (fd, address, size), fd, FileMayWait(fd))
BLOCKING(int, accept4, (int fd, void *address, u32 *size, int flags), (fd, address, size, flags), fd, FileMayWait(fd))
BLOCKING(sptr, recv, (int fd, void *data, uptr size, int flags), (fd, data, size, flags), fd, SocketMayWait(fd, flags))
BLOCKING(sptr, recvfrom, (int fd, void *data, uptr size, int flags, void *address, u32 *length), (fd, data, size, flags, address, length), fd, SocketMayWait(fd, flags))
BLOCKING(sptr, recvmsg, (int fd, msghdr *message, int flags), (fd, message, flags), fd, SocketMayWait(fd, flags))
BLOCKING(int, recvmmsg, (int fd, mmsghdr *messages, u32 count, int flags, timespec *limit), (fd, messages, count, flags, limit), fd, SocketMayWait(fd, flags))
BLOCKING(sptr, send, (int fd, const void *data, uptr size, int flags), (fd, data, size, flags), fd, SocketMayWait(fd, flags))
BLOCKING(sptr, sendto, (int fd, const void *data, uptr size, int flags, const void *address, u32 length), (fd, data, size, flags, address, length), fd, SocketMayWait(fd, flags))
BLOCKING(sptr, sendmsg, (int fd, const msghdr *message, int flags), (fd, message, flags), fd, SocketMayWait(fd, flags))
BLOCKING(int, sendmmsg, (int fd, mmsghdr *messages, u32 count, int flags), (fd, messages, count, flags), fd, SocketMayWait(fd, flags))
BLOCKING(int, getaddrinfo, (const char *node, const char *service, const void *hints, void **result), (node, service, hints, result), kNoFile, true)
BLOCKING(void *, gethostbyname, (const char *name), (name), kNoFile, true)
BLOCKING(int, getnameinfo, (void *address, u32 size, char *host, u32 host_size, char *service, u32 service_size, int flags), (address, size, host, host_size, service, service_size, flags), kNoFile, true)

BLOCKING_OR_SLEEP(int, poll, (pollfd *files, nfds_t count, int limit), (files, count, limit), limit != 0, !count && limit >= 0, u64(limit) * 1000000)
BLOCKING_OR_SLEEP(int, ppoll, (pollfd *files, nfds_t count, timespec *limit, sigset_t *signals), (files, count, limit, signals), !IsZero(limit), !count && limit && !signals, Nanoseconds(*limit))
BLOCKING(int, epoll_wait, (int fd, epoll_event *events, int count, int limit), (fd, events, count, limit), fd, limit != 0)
BLOCKING(int, epoll_pwait, (int fd, epoll_event *events, int count, int limit, const sigset_t *signals), (fd, events, count, limit, signals), fd, limit != 0)
BLOCKING(int, epoll_pwait2, (int fd, epoll_event *events, int count, const timespec *limit, const sigset_t *signals), (fd, events, count, limit, signals), fd, !IsZero(limit))

BLOCKING(int, wait, (int *status), (status), kNoFile, true)
BLOCKING(int, waitid, (int type, int id, void *info, int options), (type, id, info, options), kNoFile, !(options & WNOHANG))
BLOCKING(int, waitpid, (int process, int *status, int options), (process, status, options), kNoFile, !(options & WNOHANG))
BLOCKING(int, wait3, (int *status, int options, void *usage), (status, options, usage), kNoFile, !(options & WNOHANG))
BLOCKING(int, wait4, (int process, int *status, int options, void *usage), (process, status, options, usage), kNoFile, !(options & WNOHANG))
BLOCKING(int, pclose, (void *file), (file), kNoFile, true)

BLOCKING(int, pause, (), (), kNoFile, true)
BLOCKING(int, sigsuspend, (const sigset_t *signals), (signals), kNoFile, true)
BLOCKING(int, sigwait, (const sigset_t *signals, int *signal), (signals, signal), kNoFile, true)
BLOCKING(int, sigwaitinfo, (const sigset_t *signals, void *info), (signals, info), kNoFile, true)
BLOCKING(int, sigtimedwait, (const sigset_t *signals, void *info, const timespec *limit), (signals, info, limit), kNoFile, !IsZero(limit))

BLOCKING(int, msgsnd, (int queue, const void *message, uptr size, int flags), (queue, message, size, flags), kNoFile, !(flags & IPC_NOWAIT))
BLOCKING(sptr, msgrcv, (int queue, void *message, uptr size, long type, int flags), (queue, message, size, type, flags), kNoFile, !(flags & IPC_NOWAIT))
BLOCKING(sptr, getrandom, (void *data, uptr size, u32 flags), (data, size, flags), kNoFile, flags & GRND_RANDOM)
// clang-format on

// Those with a mode if there may be something to create.
#define BLOCKING_OPEN(name)                                                                        \
  extern "C" int __interceptor_##name(const char *path, int flags, ...);                           \
  extern "C" SANITIZER_INTERFACE_ATTRIBUTE int heddle_##name(const char *path, int flags,          \
                                                             ...) __asm__(#name);                  \
  extern "C" SANITIZER_INTERFACE_ATTRIBUTE int heddle_##name(const char *path, int flags, ...) {   \
    va_list list;                                                                                  \
    va_start(list, flags);                                                                         \
    const u32 mode = va_arg(list, u32);                                                            \
    va_end(list);                                                                                  \
    if (LIKELY(!schedule_controlled))                                                              \
      return __interceptor_##name(path, flags, mode);                                              \
    HEDDLE_CONTROLLED_OR(name, return __interceptor_##name(path, flags, mode));                    \
    if (!OpenMayWait(AT_FDCWD, path, flags))                                                       \
      return __interceptor_##name(path, flags, mode);                                              \
    return Perform(thr, si, pc, kNoFile, true,                                                     \
                   [&] { return __interceptor_##name(path, flags, mode); });                       \
  }
BLOCKING_OPEN(open)
BLOCKING_OPEN(open64)

//===-- Those that it does not --------------------------------------------===//

#define BLOCKING_IN_LIBC(result, name, parameters, arguments, fd, may_wait)                        \
  HEDDLE_NEW_INTERCEPTOR(result, name, parameters, arguments) {                                    \
    if (LIKELY(!schedule_controlled))                                                              \
      return __interceptor_##name arguments;                                                       \
    HEDDLE_CONTROLLED_OR(name, return __interceptor_##name arguments);                             \
    return Perform(thr, si, pc, fd, may_wait, [&] { return __interceptor_##name arguments; });     \
  }

// clang-format off
HEDDLE_CHAIN_TO_LIBC(int, select, (int count, void *read, void *write, void *except, timeval *limit), (count, read, write, except, limit))
BLOCKING_OR_SLEEP(int, select, (int count, void *read, void *write, void *except, timeval *limit), (count, read, write, except, limit), !limit || limit->tv_sec || limit->tv_usec, !count && limit, Nanoseconds(*limit))
HEDDLE_CHAIN_TO_LIBC(int, pselect, (int count, void *read, void *write, void *except, const timespec *limit, const void *signals), (count, read, write, except, limit, signals))
BLOCKING_OR_SLEEP(int, pselect, (int count, void *read, void *write, void *except, const timespec *limit, const void *signals), (count, read, write, except, limit, signals), !IsZero(limit), !count && limit && !signals, Nanoseconds(*limit))
BLOCKING_IN_LIBC(int, flock, (int fd, int operation), (fd, operation), fd, !(operation & (LOCK_NB | LOCK_UN)))
BLOCKING_IN_LIBC(int, lockf, (int fd, int operation, off_t size), (fd, operation, size), fd, operation == F_LOCK)
BLOCKING_IN_LIBC(int, lockf64, (int fd, int operation, off64_t size), (fd, operation, size), fd, operation == F_LOCK)
BLOCKING_IN_LIBC(int, semop, (int set, sembuf *operations, uptr count), (set, operations, count), kNoFile, true)
BLOCKING_IN_LIBC(int, semtimedop, (int set, sembuf *operations, uptr count, const timespec *limit), (set, operations, count, limit), kNoFile, true)
BLOCKING_IN_LIBC(int, mq_send, (mqd_t queue, const char *data, uptr size, u32 priority), (queue, data, size, priority), queue, FileMayWait(queue))
BLOCKING_IN_LIBC(sptr, mq_receive, (mqd_t queue, char *data, uptr size, u32 *priority), (queue, data, size, priority), queue, FileMayWait(queue))
BLOCKING_IN_LIBC(int, mq_timedsend, (mqd_t queue, const char *data, uptr size, u32 priority, const timespec *limit), (queue, data, size, priority, limit), queue, FileMayWait(queue))
BLOCKING_IN_LIBC(sptr, mq_timedreceive, (mqd_t queue, char *data, uptr size, u32 *priority, const timespec *limit), (queue, data, size, priority, limit), queue, FileMayWait(queue))
BLOCKING_IN_LIBC(sptr, splice, (int in, off64_t *in_at, int out, off64_t *out_at, uptr size, u32 flags), (in, in_at, out, out_at, size, flags), kNoFile, !(flags & SPLICE_F_NONBLOCK))
BLOCKING_IN_LIBC(sptr, sendfile, (int out, int in, off_t *at, uptr size), (out, in, at, size), out, FileMayWait(out))
BLOCKING_IN_LIBC(sptr, sendfile64, (int out, int in, off64_t *at, uptr size), (out, in, at, size), out, FileMayWait(out))
BLOCKING_IN_LIBC(int, tcdrain, (int fd), (fd), fd, true)
BLOCKING_IN_LIBC(int, system, (const char *command), (command), kNoFile, command != nullptr)
// clang-format on

// A lock on a file that is waited for.
#define BLOCKING_FCNTL(name)                                                                       \
  HEDDLE_WEAK_FUNCTION(int, name, (int fd, int command, ...)) {                                    \
    va_list list;                                                                                  \
    va_start(list, command);                                                                       \
    void *argument = va_arg(list, void *);                                                         \
    va_end(list);                                                                                  \
    if (LIKELY(!schedule_controlled) || (command != F_SETLKW && command != F_OFD_SETLKW))          \
      return RealFcntl(fd, command, argument);                                                     \
    HEDDLE_CONTROLLED_OR(name, return RealFcntl(fd, command, argument));                           \
    return Perform(thr, si, pc, fd, true, [&] { return RealFcntl(fd, command, argument); });       \
  }
BLOCKING_FCNTL(fcntl)
BLOCKING_FCNTL(fcntl64)
