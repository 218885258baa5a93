//===-- heddle_own_files.cpp - Files that the runtime itself writes -------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_own_files.h"

#include "heddle/rtl/heddle_descriptors.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_posix.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>

using namespace __sanitizer;

namespace __heddle {
namespace {

// The kernel's own calls: those of libc are intercepted, and this runs inside of operations.
long LimitOfFiles(const rlimit64 *set, rlimit64 *get) {
  return KernelCall(SYS_prlimit64, 0, RLIMIT_FSIZE, set, get);
}

// Of the kernel's sets, which are 64 bits here.
constexpr u64 kTooLarge = 1ull << (SIGXFSZ - 1);

u64 ChangeMask(int how, u64 signals) {
  u64 before = 0;
  KernelCall(SYS_rt_sigprocmask, how, &signals, &before, sizeof(signals));
  return before;
}
bool TooLargeIsPending() {
  u64 pending = 0;
  KernelCall(SYS_rt_sigpending, &pending, sizeof(pending));
  return pending & kTooLarge;
}
void TakeTooLarge() {
  const timespec at_once = {};
  KernelCall(SYS_rt_sigtimedwait, &kTooLarge, nullptr, &at_once, sizeof(kTooLarge));
}

int WriteAll(fd_t file, const char *next, uptr size) {
  while (size) {
    int error = 0;
    const uptr written = internal_write(file, next, size);
    if (internal_iserror(written, &error)) {
      if (error == EINTR)
        continue;
      return error;
    }
    next += written;
    size -= written;
  }
  return 0;
}

// While one exists, the limit on files is as high as it may be, and SIGXFSZ, which the kernel
// sends to the thread that writes, does not come.
class ProgramsLimitLifted {
public:
  explicit ProgramsLimitLifted(const rlimit64 &limit)
      : limit_(limit), mask_(ChangeMask(SIG_BLOCK, kTooLarge)), was_pending_(TooLargeIsPending()) {
    rlimit64 lifted = limit;
    lifted.rlim_cur = limit.rlim_max;
    LimitOfFiles(&lifted, nullptr);
  }
  ~ProgramsLimitLifted() {
    LimitOfFiles(&limit_, nullptr);
    if (!was_pending_ && TooLargeIsPending())
      TakeTooLarge();
    ChangeMask(SIG_SETMASK, mask_);
  }

private:
  const rlimit64 limit_;
  const u64 mask_;
  const bool was_pending_;
};

template <class Function> int WithoutProgramsLimit(Function function) {
  rlimit64 limit;
  if (LIKELY(LimitOfFiles(nullptr, &limit) != 0 || limit.rlim_cur == RLIM64_INFINITY))
    return function();
  ProgramsLimitLifted lifted(limit);
  return function();
}

} // namespace

fd_t CreateOwnFile(const char *flag, const char *path, FileAccessMode mode) {
  fd_t file = OpenFile(path, mode);
  if (file != kInvalidFd)
    file = MoveOutOfTheWay(file);
  if (file == kInvalidFd) {
    Printf("ERROR: ThreadSanitizer: %s: cannot write %s.\n", flag, path);
    Die();
  }
  return file;
}

int WriteOwnFile(fd_t file, const void *bytes, uptr size) {
  return WithoutProgramsLimit(
      [=] { return WriteAll(file, static_cast<const char *>(bytes), size); });
}

int ReserveOwnFile(fd_t file, uptr begin, uptr size) {
  return WithoutProgramsLimit([=] {
    const int programs = errno;
    const int error = KernelCall(SYS_fallocate, file, 0, begin, size) ? errno : 0;
    errno = programs;
    return error;
  });
}

} // namespace __heddle
