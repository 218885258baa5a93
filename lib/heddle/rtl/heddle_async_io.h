//===-- heddle_async_io.h - Work that the kernel does meanwhile -----------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// io_uring and the kernel's asynchronous I/O (io_submit). heddle_async_io.cpp has the rules.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_ASYNC_IO_H
#define HEDDLE_RTL_ASYNC_IO_H

#include "sanitizer_common/sanitizer_internal_defs.h"

#include <sys/syscall.h>

namespace __heddle {

struct AsyncIoArguments {
  long a, b, c, d, e, f;
};

// Whether it is one of those calls, all of which go through syscall().
inline bool IsAsyncIo(long number) {
  switch (number) {
  case SYS_io_setup:
  case SYS_io_submit:
  case SYS_io_getevents:
#ifdef SYS_io_pgetevents
  case SYS_io_pgetevents:
#endif
#ifdef SYS_io_uring_setup
  case SYS_io_uring_setup:
  case SYS_io_uring_enter:
#endif
    return true;
  default:
    return false;
  }
}

// Performs it, with or without a schedule, and returns what syscall() does.
long AsyncIo(__sanitizer::uptr caller_pc, __sanitizer::uptr pc, long number,
             const AsyncIoArguments &args);

// At the start, with a schedule: libraries that pass libc by are refused io_uring, too.
void StartAsyncIo();

} // namespace __heddle

#endif // HEDDLE_RTL_ASYNC_IO_H
