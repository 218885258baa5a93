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

#include "heddle/rtl/heddle_children.h"
#include "heddle/rtl/heddle_input.h"
#include "heddle/rtl/heddle_not_recorded.h"
#include "heddle/rtl/heddle_system_calls.h"
#include "heddle/rtl/heddle_time.h"
#include "heddle/rtl/heddle_timestamps.h"
#include "sanitizer_common/sanitizer_posix.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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

bool IsNonblocking(int fd) {
  const sptr flags = KernelCall(SYS_fcntl, fd, F_GETFL);
  return flags < 0 || (flags & O_NONBLOCK);
}

} // namespace

bool __heddle::FileMayWait(int fd) {
  // In a replay there is another file, and it matters what the call did in the recording.
  if (UNLIKELY(Playing()))
    return NextCallWaits(IsInput(fd));
  struct stat status;
  if (internal_iserror(internal_fstat(fd, &status)))
    return false; // an error
  if (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode) || S_ISBLK(status.st_mode))
    return false;
  return !IsNonblocking(fd);
}
namespace {

// The kernel calls a message queue a file.
bool QueueMayWait(int queue) {
  return UNLIKELY(Playing()) ? NextCallWaits(/*brings=*/true) : !IsNonblocking(queue);
}

// What goes to standard output and error is to come out in the order of the operations. A
// pipe that can be written to takes so much at once.
bool WriteMayWait(int fd, uptr size) {
  if (fd != 1 && fd != 2)
    return FileMayWait(fd);
  pollfd file = {fd, POLLOUT, 0};
  timespec none = {};
  if (!Playing() && size <= PIPE_BUF && KernelCall(SYS_ppoll, &file, 1, &none, nullptr, 0) == 1 &&
      file.revents == POLLOUT)
    return false;
  return FileMayWait(fd);
}
// Whether none of them says that it does not.
bool Waits(const sembuf *operations, uptr count) {
  for (uptr i = 0; i < count; i++)
    if (operations[i].sem_flg & IPC_NOWAIT)
      return false;
  return true;
}
uptr SizeOf(const iovec *parts, int count) {
  uptr size = 0;
  for (int i = 0; i < count; i++)
    size += parts[i].iov_len;
  return size;
}
bool SocketMayWait(int fd, int flags) { return !(flags & MSG_DONTWAIT) && FileMayWait(fd); }

// As waitpid would be given it.
int ChildOf(int type, int id) { return type == P_ALL ? -1 : type == P_PID ? ToKernel(id) : 0; }

// Opening one end of a FIFO waits for the other.
bool OpenMayWait(int directory, const char *path, int flags) {
  if (UNLIKELY(Playing()))
    return NextCallWaits(IsInputPath(directory, path));
  struct stat status;
  return !(flags & O_NONBLOCK) && path && !fstatat(directory, path, &status, 0) &&
         S_ISFIFO(status.st_mode);
}

} // namespace

namespace {

// Puts another limit, on the system's clock, into the place of one on the program's. Returns how
// many nanoseconds it is to it.
u64 OnSystemClock(ThreadState *thr, uptr pc, const timespec **limit, timespec *system) {
  TimeLimit on_program(CLOCK_REALTIME, *limit);
  if (on_program.Never() || !on_program.Valid())
    return AwayFromSchedule::kNoLimit;
  VisibleOperation visible(thr, pc, OperationKind::kClock, nullptr);
  on_program.Deadline();
  on_program.OnSystemClock(system);
  *limit = system;
  return on_program.Left();
}

} // namespace

// What is not a time is for the system to refuse.
u64 __heddle::LimitOf(const timespec *time) {
  if (!time || time->tv_sec < 0 || u64(time->tv_sec) >= ~0ull / kSecond)
    return AwayFromSchedule::kNoLimit;
  return u64(time->tv_sec) * kSecond + u64(time->tv_nsec);
}
u64 __heddle::LimitOf(const timeval *time) {
  if (!time)
    return AwayFromSchedule::kNoLimit;
  const timespec same = {time->tv_sec, time->tv_usec * 1000};
  return LimitOf(&same);
}

//===-- Those that wait for processes ---------------------------------------===//

// In a group of processes the schedule knows when some of them end: heddle_children.h. Then the
// call does not wait. `child` has been waited for.
#define WAIT_CALL(name, parameters, arguments, process, options, child)                            \
  extern "C" int __interceptor_##name parameters;                                                  \
  HEDDLE_WEAK_FUNCTION(int, name, parameters) {                                                    \
    if (LIKELY(!schedule_controlled))                                                              \
      return __interceptor_##name arguments;                                                       \
    HEDDLE_CONTROLLED_OR(name, return __interceptor_##name arguments);                             \
    bool may_wait = !((options) & WNOHANG);                                                        \
    if (UNLIKELY(processes_together)) {                                                            \
      const ChildWait wait = AwaitChild(thr, pc, process, options);                                \
      if (wait == ChildWait::kInterrupted) {                                                       \
        errno = EINTR;                                                                             \
        return -1;                                                                                 \
      }                                                                                            \
      may_wait &= wait != ChildWait::kOver;                                                        \
    }                                                                                              \
    const int result =                                                                             \
        Perform(thr, si, pc, kNoFile, may_wait, [&] { return __interceptor_##name arguments; });   \
    if (UNLIKELY(processes_together) && (child) > 0)                                               \
      ChildIsWaitedFor(child);                                                                     \
    return result;                                                                                 \
  }

//===-- Those that upstream intercepts ------------------------------------===//

// With nothing to wait for it is a sleep, and ends when its time is over.
#define LIMITED_CALL_OR_SLEEP(result_type, name, parameters, arguments, sleeps, limit)             \
  extern "C" result_type __interceptor_##name parameters;                                          \
  HEDDLE_WEAK_FUNCTION(result_type, name, parameters) {                                            \
    if (LIKELY(!schedule_controlled))                                                              \
      return __interceptor_##name arguments;                                                       \
    HEDDLE_CONTROLLED_OR(name, return __interceptor_##name arguments);                             \
    const u64 nanoseconds = limit;                                                                 \
    if ((sleeps) && nanoseconds != AwayFromSchedule::kNoLimit && TimeIsLogical()) {                \
      SleepFor(thr, si, pc, nanoseconds);                                                          \
      return 0;                                                                                    \
    }                                                                                              \
    return PerformLimited(                                                                         \
        thr, si, pc, kNoFile, nanoseconds, [&] { return __interceptor_##name arguments; },         \
        [](result_type result) { return !result; });                                               \
  }

// clang-format off
SYSTEM_CALL(sptr, read, (int fd, void *data, uptr size), (fd, data, size), fd, FileMayWait(fd))
SYSTEM_CALL(sptr, pread, (int fd, void *data, uptr size, off_t at), (fd, data, size, at), fd, FileMayWait(fd))
SYSTEM_CALL(sptr, pread64, (int fd, void *data, uptr size, off64_t at), (fd, data, size, at), fd, FileMayWait(fd))
SYSTEM_CALL(sptr, readv, (int fd, const iovec *parts, int count), (fd, parts, count), fd, FileMayWait(fd))
SYSTEM_CALL(sptr, preadv, (int fd, const iovec *parts, int count, off_t at), (fd, parts, count, at), fd, FileMayWait(fd))
SYSTEM_CALL(sptr, preadv64, (int fd, const iovec *parts, int count, off64_t at), (fd, parts, count, at), fd, FileMayWait(fd))
SYSTEM_CALL(sptr, write, (int fd, const void *data, uptr size), (fd, data, size), fd, WriteMayWait(fd, size))
SYSTEM_CALL(sptr, pwrite, (int fd, const void *data, uptr size, off_t at), (fd, data, size, at), fd, FileMayWait(fd))
SYSTEM_CALL(sptr, pwrite64, (int fd, const void *data, uptr size, off64_t at), (fd, data, size, at), fd, FileMayWait(fd))
SYSTEM_CALL(sptr, writev, (int fd, const iovec *parts, int count), (fd, parts, count), fd, WriteMayWait(fd, SizeOf(parts, count)))
SYSTEM_CALL(sptr, pwritev, (int fd, const iovec *parts, int count, off_t at), (fd, parts, count, at), fd, FileMayWait(fd))
SYSTEM_CALL(sptr, pwritev64, (int fd, const iovec *parts, int count, off64_t at), (fd, parts, count, at), fd, FileMayWait(fd))
SYSTEM_CALL(int, eventfd_read, (int fd, u64 *value), (fd, value), fd, FileMayWait(fd))
SYSTEM_CALL(int, eventfd_write, (int fd, u64 value), (fd, value), fd, FileMayWait(fd))

SYSTEM_CALL(int, connect, (int fd, const void *address, u32 size), (fd, address, size), fd, FileMayWait(fd))
SYSTEM_CALL(int, accept, (int fd, void *address, u32 *size), (fd, address, size), fd, FileMayWait(fd))
SYSTEM_CALL(int, accept4, (int fd, void *address, u32 *size, int flags), (fd, address, size, flags), fd, FileMayWait(fd))
SYSTEM_CALL(sptr, recv, (int fd, void *data, uptr size, int flags), (fd, data, size, flags), fd, SocketMayWait(fd, flags))
SYSTEM_CALL(sptr, recvfrom, (int fd, void *data, uptr size, int flags, void *address, u32 *length), (fd, data, size, flags, address, length), fd, SocketMayWait(fd, flags))
SYSTEM_CALL(sptr, recvmsg, (int fd, msghdr *message, int flags), (fd, message, flags), fd, SocketMayWait(fd, flags))
SYSTEM_CALL(int, recvmmsg, (int fd, mmsghdr *messages, u32 count, int flags, timespec *limit), (fd, messages, count, flags, limit), fd, SocketMayWait(fd, flags))
SYSTEM_CALL(sptr, send, (int fd, const void *data, uptr size, int flags), (fd, data, size, flags), fd, SocketMayWait(fd, flags))
SYSTEM_CALL(sptr, sendto, (int fd, const void *data, uptr size, int flags, const void *address, u32 length), (fd, data, size, flags, address, length), fd, SocketMayWait(fd, flags))
SYSTEM_CALL(sptr, sendmsg, (int fd, const msghdr *message, int flags), (fd, message, flags), fd, SocketMayWait(fd, flags))
SYSTEM_CALL(int, sendmmsg, (int fd, mmsghdr *messages, u32 count, int flags), (fd, messages, count, flags), fd, SocketMayWait(fd, flags))
SYSTEM_CALL(int, getaddrinfo, (const char *node, const char *service, const void *hints, void **result), (node, service, hints, result), kNoFile, true)
SYSTEM_CALL(void *, gethostbyname, (const char *name), (name), kNoFile, true)
SYSTEM_CALL(int, getnameinfo, (void *address, u32 size, char *host, u32 host_size, char *service, u32 service_size, int flags), (address, size, host, host_size, service, service_size, flags), kNoFile, true)

LIMITED_CALL_OR_SLEEP(int, poll, (pollfd *files, nfds_t count, int limit), (files, count, limit), !count, LimitOf(limit))
LIMITED_CALL_OR_SLEEP(int, ppoll, (pollfd *files, nfds_t count, timespec *limit, sigset_t *signals), (files, count, limit, signals), !count && !signals, LimitOf(limit))
LIMITED_CALL(int, epoll_wait, (int fd, epoll_event *events, int count, int limit), (fd, events, count, limit), fd, LimitOf(limit), !result)
LIMITED_CALL(int, epoll_pwait, (int fd, epoll_event *events, int count, int limit, const sigset_t *signals), (fd, events, count, limit, signals), fd, LimitOf(limit), !result)
LIMITED_CALL(int, epoll_pwait2, (int fd, epoll_event *events, int count, const timespec *limit, const sigset_t *signals), (fd, events, count, limit, signals), fd, LimitOf(limit), !result)

WAIT_CALL(wait, (int *status), (status), -1, 0, result)
WAIT_CALL(waitid, (int type, int id, siginfo_t *info, int options), (type, type == P_ALL ? id : ToKernel(id), info, options), ChildOf(type, id), options & ~WEXITED, result || !info || (options & WNOWAIT) ? 0 : info->si_pid)
WAIT_CALL(waitpid, (int process, int *status, int options), (ToKernel(process), status, options), process, options, result)
WAIT_CALL(wait3, (int *status, int options, void *usage), (status, options, usage), -1, options, result)
WAIT_CALL(wait4, (int process, int *status, int options, void *usage), (ToKernel(process), status, options, usage), process, options, result)
UNRECORDED_CALL(int, pclose, (void *file), (file), kNoFile, true)

SYSTEM_CALL(int, pause, (), (), kNoFile, true)
SYSTEM_CALL(int, sigsuspend, (const sigset_t *signals), (signals), kNoFile, true)
SYSTEM_CALL(int, sigwait, (const sigset_t *signals, int *signal), (signals, signal), kNoFile, true)
SYSTEM_CALL(int, sigwaitinfo, (const sigset_t *signals, void *info), (signals, ReceivedInfo(info)), kNoFile, true)
LIMITED_CALL(int, sigtimedwait, (const sigset_t *signals, void *info, const timespec *limit), (signals, ReceivedInfo(info), limit), kNoFile, LimitOf(limit), result == -1 && errno == EAGAIN)

SYSTEM_CALL(int, msgsnd, (int queue, const void *message, uptr size, int flags), (queue, message, size, flags), kNoFile, !(flags & IPC_NOWAIT))
SYSTEM_CALL(sptr, msgrcv, (int queue, void *message, uptr size, long type, int flags), (queue, message, size, type, flags), kNoFile, !(flags & IPC_NOWAIT))
SYSTEM_CALL(sptr, getrandom, (void *data, uptr size, u32 flags), (data, size, flags), kNoFile, flags & GRND_RANDOM)
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
    return Perform(thr, si, pc, kNoFile, OpenMayWait(AT_FDCWD, path, flags),                       \
                   [&] { return __interceptor_##name(path, flags, mode); });                       \
  }
BLOCKING_OPEN(open)
BLOCKING_OPEN(open64)

//===-- Those that it does not --------------------------------------------===//

// Their limit is a time of day. The program's clock may be ahead of the system's.
#define LIMITED_QUEUE_CALL(result_type, name, parameters, arguments)                               \
  HEDDLE_NEW_INTERCEPTOR(result_type, name, parameters, arguments) {                               \
    if (LIKELY(!schedule_controlled))                                                              \
      return __interceptor_##name arguments;                                                       \
    HEDDLE_CONTROLLED_OR(name, return __interceptor_##name arguments);                             \
    timespec system;                                                                               \
    const u64 left = OnSystemClock(thr, pc, &limit, &system);                                      \
    return PerformLimited(                                                                         \
        thr, si, pc, queue, QueueMayWait(queue) ? left : 0,                                        \
        [&] { return __interceptor_##name arguments; },                                            \
        [](result_type result) { return result == -1 && errno == ETIMEDOUT; });                    \
  }

// clang-format off
HEDDLE_CHAIN_TO_LIBC(int, select, (int count, void *read, void *write, void *except, timeval *limit), (count, read, write, except, limit))
LIMITED_CALL_OR_SLEEP(int, select, (int count, void *read, void *write, void *except, timeval *limit), (count, read, write, except, limit), !count, LimitOf(limit))
HEDDLE_CHAIN_TO_LIBC(int, pselect, (int count, void *read, void *write, void *except, const timespec *limit, const void *signals), (count, read, write, except, limit, signals))
LIMITED_CALL_OR_SLEEP(int, pselect, (int count, void *read, void *write, void *except, const timespec *limit, const void *signals), (count, read, write, except, limit, signals), !count && !signals, LimitOf(limit))
SYSTEM_CALL_OF_LIBC(int, flock, (int fd, int operation), (fd, operation), fd, !(operation & (LOCK_NB | LOCK_UN)))
SYSTEM_CALL_OF_LIBC(int, lockf, (int fd, int operation, off_t size), (fd, operation, size), fd, operation == F_LOCK)
SYSTEM_CALL_OF_LIBC(int, lockf64, (int fd, int operation, off64_t size), (fd, operation, size), fd, operation == F_LOCK)
SYSTEM_CALL_OF_LIBC(int, semop, (int set, sembuf *operations, uptr count), (set, operations, count), kNoFile, Waits(operations, count))
LIMITED_CALL_OF_LIBC(int, semtimedop, (int set, sembuf *operations, uptr count, const timespec *limit), (set, operations, count, limit), kNoFile, Waits(operations, count) ? LimitOf(limit) : 0, result == -1 && errno == EAGAIN)
SYSTEM_CALL_OF_LIBC(int, mq_send, (mqd_t queue, const char *data, uptr size, u32 priority), (queue, data, size, priority), queue, QueueMayWait(queue))
SYSTEM_CALL_OF_LIBC(sptr, mq_receive, (mqd_t queue, char *data, uptr size, u32 *priority), (queue, data, size, priority), queue, QueueMayWait(queue))
LIMITED_QUEUE_CALL(int, mq_timedsend, (mqd_t queue, const char *data, uptr size, u32 priority, const timespec *limit), (queue, data, size, priority, limit))
LIMITED_QUEUE_CALL(sptr, mq_timedreceive, (mqd_t queue, char *data, uptr size, u32 *priority, const timespec *limit), (queue, data, size, priority, limit))
SYSTEM_CALL_OF_LIBC(sptr, splice, (int in, off64_t *in_at, int out, off64_t *out_at, uptr size, u32 flags), (in, in_at, out, out_at, size, flags), kNoFile, !(flags & SPLICE_F_NONBLOCK))
SYSTEM_CALL_OF_LIBC(sptr, sendfile, (int out, int in, off_t *at, uptr size), (out, in, at, size), out, FileMayWait(out))
SYSTEM_CALL_OF_LIBC(sptr, sendfile64, (int out, int in, off64_t *at, uptr size), (out, in, at, size), out, FileMayWait(out))
SYSTEM_CALL_OF_LIBC(int, openat, (int directory, const char *path, int flags, u32 mode), (directory, path, flags, mode), kNoFile, OpenMayWait(directory, path, flags))
SYSTEM_CALL_OF_LIBC(int, openat64, (int directory, const char *path, int flags, u32 mode), (directory, path, flags, mode), kNoFile, OpenMayWait(directory, path, flags))
SYSTEM_CALL_OF_LIBC(int, tcdrain, (int fd), (fd), fd, true)
// clang-format on

HEDDLE_NEW_INTERCEPTOR(int, system, (const char *command), (command)) {
  NotRecordedIf(command, "system");
  HEDDLE_CONTROLLED(system, command);
  return Perform(
      thr, si, pc, kNoFile, command != nullptr,
      [&] {
        TimestampsForOthers others;
        return __interceptor_system(command);
      },
      AwayFromSchedule::kAtOnce);
}

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
