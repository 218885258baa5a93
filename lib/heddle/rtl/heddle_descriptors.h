//===-- heddle_descriptors.h - Descriptors of the runtime's own -----------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel gives the lowest number that is free, so a file that the runtime opens
// changes what the program gets. When the runtime opens files depends on reports, and on
// flags that are not a recording's: none may stay where the program would notice. And the program
// leaves alone what it has not opened: programs that close all descriptors there are do not mean
// ours.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_DESCRIPTORS_H
#define HEDDLE_RTL_DESCRIPTORS_H

namespace __sanitizer {

// The file gets a number that the program does not come to, and cannot close. Returns it.
int MoveOutOfTheWay(int file);
// Seam own-files: the same, if there is a schedule.
int MoveOwnFile(int file);

// For the runtime, until its file is out of the way: meanwhile the program opens none. Returns
// whether that is so.
int LockDescriptors();
void UnlockDescriptors(int *locked);

} // namespace __sanitizer

namespace __heddle {

// Of those that have been moved out of the way.
bool IsOwnDescriptor(int file);
// The first from there on, or a number that is higher than any of them.
unsigned NextOwnDescriptor(unsigned from);
void CloseOwnDescriptor(int file);

// For the program: meanwhile the runtime opens none. One may be within another.
class DescriptorLock {
public:
  DescriptorLock();
  ~DescriptorLock();

private:
  const bool owner_;
};

// What was opened before the flags were known.
void MoveReportFile();

} // namespace __heddle

#endif // HEDDLE_RTL_DESCRIPTORS_H
