//===-- heddle_timestamp_scan.h - Does a program read the counter? --------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether the program, or a library that is loaded with it, has an instruction that reads the
// processor's time stamp counter. rdtscp has three bytes, which mean nothing else in practice.
// rdtsc has two, and those two come up by chance in every program: so it counts only where the
// code around it is what goes with it: the halves are joined behind it, or a fence is before it.
//
// libc's libraries and the loader are left out: they do not show the program what they read.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_TIMESTAMP_SCAN_H
#define HEDDLE_RTL_TIMESTAMP_SCAN_H

#include "heddle/choice/types.h"

namespace __heddle {

// `own` is the place of an instruction that does not count.
bool ReadsTimestamps(const void *code, uptr size, const void *own);
bool ProgramReadsTimestamps(const void *own);

} // namespace __heddle

#endif // HEDDLE_RTL_TIMESTAMP_SCAN_H
