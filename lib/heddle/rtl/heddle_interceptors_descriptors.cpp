//===-- heddle_interceptors_descriptors.cpp - Numbers of descriptors ------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel gives the lowest number that is free. Which one that is depends on what
// other threads have opened and closed before, so these are operations, a row each.
// They wait for nothing, but for what stdio has yet to write.
//
// Descriptors of the runtime's own do not exist for the program: it cannot close them, and a number
// that one of them has is busy.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_input.h"
#include "heddle/rtl/heddle_not_recorded.h"
#include "heddle/rtl/heddle_system_calls.h"
#include "heddle/rtl/heddle_timestamps.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <time.h>

using namespace __sanitizer;
using namespace __tsan;
using namespace __heddle;

// clang-format off
SHORT_CALL(int, dup, (int fd), (fd), kNoFile)
SYSTEM_CALL(int, creat, (const char *path, u32 mode), (path, mode), kNoFile, false)
SHORT_CALL(int, pipe, (int *ends), (ends), kNoFile)
SHORT_CALL(int, pipe2, (int *ends, int flags), (ends, flags), kNoFile)
SHORT_CALL(int, socket, (int domain, int type, int protocol), (domain, type, protocol), kNoFile)
SHORT_CALL(int, socketpair, (int domain, int type, int protocol, int *pair), (domain, type, protocol, pair), kNoFile)
SHORT_CALL(int, bind, (int fd, void *address, u32 size), (fd, address, size), fd)
SHORT_CALL(int, listen, (int fd, int backlog), (fd, backlog), fd)
SHORT_CALL(int, eventfd, (u32 value, int flags), (value, flags), kNoFile)
SHORT_CALL(int, signalfd, (int fd, void *signals, int flags), (fd, signals, flags), kNoFile)
SHORT_CALL(int, epoll_create, (int size), (size), kNoFile)
SHORT_CALL(int, epoll_create1, (int flags), (flags), kNoFile)
SHORT_CALL(int, epoll_ctl, (int fd, int operation, int file, void *event), (fd, operation, file, event), fd)
SHORT_CALL(void *, fopen, (const char *path, const char *mode), (path, mode), kNoFile)
SHORT_CALL(void *, fopen64, (const char *path, const char *mode), (path, mode), kNoFile)
SHORT_CALL(void *, opendir, (const char *path), (path), kNoFile)
SYSTEM_CALL(int, closedir, (void *directory), (directory), kNoFile, false)

SHORT_CALL_OF_LIBC(int, mq_open, (const char *name, int flags, u32 mode, void *attributes), (name, flags, mode, attributes), kNoFile)
SHORT_CALL_OF_LIBC(void *, tmpfile, (), (), kNoFile)
SHORT_CALL_OF_LIBC(void *, tmpfile64, (), (), kNoFile)
SHORT_CALL_OF_LIBC(int, mkstemp, (char *name), (name), kNoFile)
SHORT_CALL_OF_LIBC(int, mkstemp64, (char *name), (name), kNoFile)
SHORT_CALL_OF_LIBC(int, mkostemp, (char *name, int flags), (name, flags), kNoFile)
SHORT_CALL_OF_LIBC(int, mkostemp64, (char *name, int flags), (name, flags), kNoFile)
SHORT_CALL_OF_LIBC(int, mkstemps, (char *name, int ending), (name, ending), kNoFile)
SHORT_CALL_OF_LIBC(int, mkstemps64, (char *name, int ending), (name, ending), kNoFile)
SHORT_CALL_OF_LIBC(int, mkostemps, (char *name, int ending, int flags), (name, ending, flags), kNoFile)
SHORT_CALL_OF_LIBC(int, mkostemps64, (char *name, int ending, int flags), (name, ending, flags), kNoFile)
SHORT_CALL_OF_LIBC(char *, mkdtemp, (char *name), (name), kNoFile)
SHORT_CALL_OF_LIBC(int, memfd_create, (const char *name, u32 flags), (name, flags), kNoFile)
SHORT_CALL_OF_LIBC(int, posix_openpt, (int flags), (flags), kNoFile)
SHORT_CALL(int, inotify_init, (), (), kNoFile)
SHORT_CALL(int, inotify_init1, (int flags), (flags), kNoFile)
SHORT_CALL_OF_LIBC(int, inotify_add_watch, (int fd, const char *path, u32 events), (fd, path, events), fd)
SHORT_CALL_OF_LIBC(int, inotify_rm_watch, (int fd, int watch), (fd, watch), fd)
SHORT_CALL_OF_LIBC(int, setsockopt, (int fd, int level, int name, const void *value, u32 size), (fd, level, name, value, size), fd)
SHORT_CALL_OF_LIBC(int, shutdown, (int fd, int how), (fd, how), fd)
// clang-format on

#define REFUSE_OWN(fd, error)                                                                      \
  if (UNLIKELY(schedule_controlled) && IsOwnDescriptor(fd)) {                                      \
    errno = error;                                                                                 \
    return -1;                                                                                     \
  }

HEDDLE_INTERCEPTOR(int, close, int fd) {
  REFUSE_OWN(fd, EBADF)
  HEDDLE_CONTROLLED(close, fd);
  return Perform(thr, si, pc, fd, /*may_wait=*/false, [&] { return __interceptor_close(fd); });
}
HEDDLE_INTERCEPTOR(int, dup2, int fd, int as) {
  REFUSE_OWN(as, EBUSY)
  HEDDLE_CONTROLLED(dup2, fd, as);
  return Operate(thr, pc, kNoFile, [&] { return __interceptor_dup2(fd, as); });
}
HEDDLE_INTERCEPTOR(int, dup3, int fd, int as, int flags) {
  REFUSE_OWN(as, EBUSY)
  HEDDLE_CONTROLLED(dup3, fd, as, flags);
  return Operate(thr, pc, kNoFile, [&] { return __interceptor_dup3(fd, as, flags); });
}

//===-- Many at a time ----------------------------------------------------===//

HEDDLE_CHAIN_TO_LIBC(int, close_range, (u32 first, u32 last, int flags), (first, last, flags))

namespace {

// What of the range is not ours. To be closed on execution is all the same to ours.
int CloseAround(u32 first, u32 last, int flags) {
  constexpr int kOnExecution = 4; // CLOSE_RANGE_CLOEXEC
  if ((flags & kOnExecution) || first > last)
    return __interceptor_close_range(first, last, flags);
  for (;;) {
    const u32 own = NextOwnDescriptor(first);
    if (own > last)
      return __interceptor_close_range(first, last, flags);
    if (first < own)
      if (const int result = __interceptor_close_range(first, own - 1, flags))
        return result;
    if (own == last)
      return 0;
    first = own + 1;
  }
}

} // namespace

HEDDLE_WEAK_FUNCTION(int, close_range, (u32 first, u32 last, int flags)) {
  HEDDLE_CONTROLLED_OR(close_range, return CloseAround(first, last, flags));
  return Operate(thr, pc, kNoFile, [&] { return CloseAround(first, last, flags); });
}

HEDDLE_NEW_INTERCEPTOR(void, closefrom, (int first), (first)) {
  if (LIKELY(!schedule_controlled))
    return __interceptor_closefrom(first);
  heddle_close_range(u32(Max(first, 0)), ~0u, 0);
}

// What is written on closing is written before, as by fflush: it may have to wait.
HEDDLE_INTERCEPTOR(int, fclose, FILE *file) {
  HEDDLE_CONTROLLED(fclose, file);
  if (file && __fpending(file))
    fflush(file);
  return Operate(thr, pc, kNoFile, [&] { return __interceptor_fclose(file); });
}

// What comes through the streams of these two does not come through heddle_inputs.inc, and the
// command is run again in a replay.
HEDDLE_INTERCEPTOR(void *, popen, const char *command, const char *type) {
  NotRecorded("popen");
  HEDDLE_CONTROLLED(popen, command, type);
  StartsOther();
  return Operate(thr, pc, kNoFile, [&] {
    TimestampsForOthers others;
    return __interceptor_popen(command, type);
  });
}

#define REOPEN(name)                                                                               \
  HEDDLE_INTERCEPTOR(void *, name, const char *path, const char *mode, FILE *file) {               \
    NotRecordedIf(Recording() && IsInputPath(AT_FDCWD, path), #name);                              \
    HEDDLE_CONTROLLED(name, path, mode, file);                                                     \
    if (file && __fpending(file))                                                                  \
      fflush(file);                                                                                \
    return Operate(thr, pc, kNoFile, [&] { return __interceptor_##name(path, mode, file); });      \
  }
REOPEN(freopen)
REOPEN(freopen64)
