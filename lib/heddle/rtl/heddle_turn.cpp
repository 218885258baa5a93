//===-- heddle_turn.cpp - Handing over from one thread to the next --------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_turn.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>

using namespace __sanitizer;

namespace __heddle {
namespace {

// The system call itself: libc's wrapper is intercepted, and sets errno.
long Futex(void *word, long operation, long value, const timespec *limit) {
#if defined(__x86_64__)
  long result = SYS_futex;
  register const timespec *r10 __asm__("r10") = limit;
  __asm__ volatile("syscall"
                   : "+a"(result)
                   : "D"(word), "S"(operation), "d"(value), "r"(r10)
                   : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long x8 __asm__("x8") = SYS_futex;
  register long x0 __asm__("x0") = reinterpret_cast<long>(word);
  register long x1 __asm__("x1") = operation;
  register long x2 __asm__("x2") = value;
  register const timespec *x3 __asm__("x3") = limit;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
  return x0;
#else
#error "futex is not known for this architecture"
#endif
}

} // namespace

bool Seat::Sleep(int milliseconds) {
  timespec limit = {milliseconds / 1000, (milliseconds % 1000) * 1000000L};
  return Futex(&asleep_, shared_ ? FUTEX_WAIT : FUTEX_WAIT_PRIVATE, 1,
               milliseconds < 0 ? nullptr : &limit) != -ETIMEDOUT;
}

void Seat::WakeSleeper() { Futex(&asleep_, shared_ ? FUTEX_WAKE : FUTEX_WAKE_PRIVATE, 1, nullptr); }

} // namespace __heddle
