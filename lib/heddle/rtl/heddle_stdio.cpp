//===-- heddle_stdio.cpp - Streams of stdio that bring input --------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// stdio reads and writes within libc, where nobody sees it. With a demo, a stream over a
// descriptor that brings input is made by fopencookie instead: it has libc's buffer and all of
// its functions, but reads and writes by calls of ours, which are rows of heddle_inputs.inc and
// leave the schedule if they may wait. Standard input is such a stream from the start, so that
// std::cin, which asks for it early, is one too.
//
// Such a stream has no descriptor for libc, so fileno is ours.
//
// Not so: streams of popen and freopen (which are counted, see heddle_not_recorded.h), and
// standard output and error.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_inputs.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_system_calls.h"

#include <alloca.h>
#include <asm/ioctls.h>
#include <asm/termbits.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace __sanitizer;
using namespace __tsan;
using namespace __heddle;

DECLARE_REAL(sptr, read, int fd, void *data, uptr size)
DECLARE_REAL(sptr, write, int fd, const void *data, uptr size)
DECLARE_REAL(int, open, const char *path, int flags, u32 mode)
DECLARE_REAL(FILE *, fopencookie, void *cookie, const char *mode, cookie_io_functions_t functions)
extern "C" off_t __interceptor_lseek(int fd, off_t offset, int from);

namespace __heddle {
namespace {

struct Stream {
  Stream *next;
  FILE *file;
  int fd;
};
StaticSpinMutex streams_mutex;
Stream *streams;

// An operation, or away from the schedule, like read and write are. Other threads are not told by
// libc's lock that they may use the stream's buffer: no access is to be seen.
template <class Call> sptr Perform(int fd, Call call) {
  ThreadState *thr = cur_thread();
  if (!IsControlled(thr))
    return call();
  if (FileMayWait(fd)) {
    AwayFromSchedule away(thr);
    return call();
  }
  VisibleOperation visible(thr, StackTrace::GetCurrentPc(), OperationKind::kSystemCall,
                           ObjectOf(fd));
  return call();
}

ssize_t Read(void *cookie, char *data, size_t size) {
  const int fd = static_cast<Stream *>(cookie)->fd;
  return Perform(fd, [&] { return REAL(read)(fd, data, size); });
}

ssize_t Write(void *cookie, const char *data, size_t size) {
  const int fd = static_cast<Stream *>(cookie)->fd;
  uptr written = 0;
  while (written < size) {
    const sptr result =
        Perform(fd, [&] { return REAL(write)(fd, data + written, size - written); });
    if (result <= 0)
      break;
    written += result;
  }
  return ssize_t(written); // an error is 0
}

int Seek(void *cookie, off64_t *offset, int from) {
  const off_t at = __interceptor_lseek(static_cast<Stream *>(cookie)->fd, *offset, from);
  if (at < 0)
    return -1;
  *offset = at;
  return 0;
}

int CloseStream(void *cookie) {
  auto *stream = static_cast<Stream *>(cookie);
  {
    SpinMutexLock lock(&streams_mutex);
    for (Stream **link = &streams; *link; link = &(*link)->next) {
      if (*link == stream) {
        *link = stream->next;
        break;
      }
    }
  }
  const int result = int(KernelCall(SYS_close, stream->fd));
  Free(stream);
  return result;
}

FILE *NewStream(int fd, const char *mode) {
  auto *stream = static_cast<Stream *>(Alloc(sizeof(Stream)));
  stream->fd = fd;
  const cookie_io_functions_t functions = {Read, Write, Seek, CloseStream};
  stream->file = REAL(fopencookie)(stream, mode, functions);
  if (!stream->file) {
    Free(stream);
    return nullptr;
  }
  SpinMutexLock lock(&streams_mutex);
  stream->next = streams;
  streams = stream;
  return stream->file;
}

int DescriptorOf(const void *file) {
  SpinMutexLock lock(&streams_mutex);
  for (const Stream *stream = streams; stream; stream = stream->next)
    if (stream->file == file)
      return stream->fd;
  return -1;
}

int FlagsOf(const char *mode) {
  int flags = *mode == 'r' ? 0 : *mode == 'w' ? O_CREAT | O_TRUNC : O_CREAT | O_APPEND;
  int access = *mode == 'r' ? O_RDONLY : O_WRONLY;
  for (const char *each = mode + 1; *each && *each != ','; each++) {
    if (*each == '+')
      access = O_RDWR;
    flags |= *each == 'e' ? O_CLOEXEC : *each == 'x' ? O_EXCL : 0;
  }
  return flags | access;
}

// A file, which is opened again in a replay, and has the same number. `real` gives null if it
// fails.
template <class Real, class NumberOf>
void *OpenFile(InputCall call, Real real, NumberOf number_of) {
  void *opened = nullptr;
  const auto open = [&] {
    opened = real();
    return opened ? number_of(opened) : -1;
  };
  Through<int>(call, [] { return true; }, open, [&](auto &io, int fd) { io.AgainAt(fd, open); });
  return opened;
}

int NumberOfFile(void *file) { return static_cast<FILE *>(file)->_fileno; }
int NumberOfDirectory(void *directory) { return dirfd(static_cast<DIR *>(directory)); }

template <class Real> void *Open(InputCall call, const char *path, const char *mode, Real real) {
  // What the path named in the recording need not be there any more.
  if (!ThreadWithInput() || !(Playing() ? NextCallIs(kInput_open) : IsInputPath(AT_FDCWD, path)))
    return OpenFile(call, [&] { return real(path, mode); }, NumberOfFile);
  const int fd = REAL(open)(path, FlagsOf(mode), 0666);
  return fd < 0 ? nullptr : NewStream(fd, mode);
}

} // namespace

extern void *(*real_fopen)(const char *, const char *),
    *(*real_fopen64)(const char *, const char *), *(*real_fdopen)(int, const char *);
void *input_fopen(const char *path, const char *mode) {
  return Open(kInput_fopen, path, mode, real_fopen);
}
void *input_fopen64(const char *path, const char *mode) {
  return Open(kInput_fopen64, path, mode, real_fopen64);
}
void *input_fdopen(int fd, const char *mode) {
  return ThreadWithInput() && fd > 2 && IsInput(fd) ? NewStream(fd, mode) : real_fdopen(fd, mode);
}

extern void *(*real_tmpfile)(), *(*real_tmpfile64)(), *(*real_opendir)(const char *);
void *input_tmpfile() { return OpenFile(kInput_tmpfile, real_tmpfile, NumberOfFile); }
void *input_tmpfile64() { return OpenFile(kInput_tmpfile64, real_tmpfile64, NumberOfFile); }
void *input_opendir(const char *path) {
  return OpenFile(kInput_opendir, [&] { return real_opendir(path); }, NumberOfDirectory);
}

void ReplaceStandardInput() {
  FILE *file = NewStream(0, "r");
  // As libc has it, so that reading writes what is to be seen before.
  if (file && KernelCall(SYS_ioctl, 0, TCGETS, alloca(64)) == 0)
    setvbuf(file, nullptr, _IOLBF, BUFSIZ);
  if (file)
    stdin = file;
}

} // namespace __heddle

#define FILENO(name)                                                                               \
  HEDDLE_NEW_INTERCEPTOR(int, name, (void *file), (file)) {                                        \
    if (UNLIKELY(demo_mode != DemoMode::kOff)) {                                                   \
      const int fd = DescriptorOf(file);                                                           \
      if (fd >= 0)                                                                                 \
        return fd;                                                                                 \
    }                                                                                              \
    return __interceptor_##name(file);                                                             \
  }
FILENO(fileno)
FILENO(fileno_unlocked)
