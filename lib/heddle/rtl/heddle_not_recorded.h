//===-- heddle_not_recorded.h - What a demo does not have -----------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Input that comes by ways which are not recorded (docs/input.md). Where it is noticed it is
// counted, and the end of a recording says so: who plays the demo is to know why it may go
// another way.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_NOT_RECORDED_H
#define HEDDLE_RTL_NOT_RECORDED_H

#include "heddle/rtl/heddle_demo.h"

namespace __heddle {

// A call that brings something the demo does not have, if this is a recording. The name is a
// literal.
void NotRecorded(const char *name);
inline void NotRecordedIf(bool is_so, const char *name) {
  if (UNLIKELY(is_so))
    NotRecorded(name);
}
// A program that is executed, and has no runtime that could. It is said once, whichever process of
// the recording executes it.
void BeginNotRecorded();
void ProgramNotRecorded(const char *program);
// A thread has run for a time slice in a library that is not instrumented, and others go on. How
// far it comes meanwhile is not recorded.
void LoopNotRecordedIf(bool is_so);
void PrintNotRecorded();
void ForgetNotRecorded(); // in a child: it is its parent's to say

// The program calls the kernel by a number, past libc's function. `first` is its first argument.
void DirectCallNotRecorded(long number, int first);

// Whether a shared mapping of the file, or a segment of System V, may be written to by a device or
// by other processes. Files on disk are the program's own, as with read.
bool OthersWriteTo(int fd);
bool OthersWriteToSegment(int segment);

} // namespace __heddle

#endif // HEDDLE_RTL_NOT_RECORDED_H
