//===-- heddle_direct_calls.h - syscall() as the function of libc ---------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Libraries call the kernel by number where libc has had no function for it at some time, or where
// the function is a cancellation point. Under a schedule such a call is the function of libc that
// does the same: it is an operation, moves the clock by its limit if it gives up, and is recorded.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_DIRECT_CALLS_H
#define HEDDLE_RTL_DIRECT_CALLS_H

namespace __heddle {

// False if there is no such function. Otherwise it has been called, `result` is what it returned,
// -1 for an error, and errno is as it left it.
bool CallLikeLibc(long number, const long (&arguments)[6], long *result);

} // namespace __heddle

#endif // HEDDLE_RTL_DIRECT_CALLS_H
