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
SYSTEM_CALL(int, close, (int fd), (fd), fd, false)
SHORT_CALL(int, dup, (int fd), (fd), kNoFile)
SHORT_CALL(int, dup2, (int fd, int as), (fd, as), kNoFile)
SHORT_CALL(int, dup3, (int fd, int as, int flags), (fd, as, flags), kNoFile)
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
