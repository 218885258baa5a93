//===-- heddle_fibers.h - Fibers ------------------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the rest of the runtime has to know of fibers; heddle_fibers.cpp has the rules. A
// ControlledThread is a thread of the system, and its ThreadState that of the fiber which it runs.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_FIBERS_H
#define HEDDLE_RTL_FIBERS_H

namespace __heddle {

// The next of several executions in one process begins: what the memory model knows of fibers that
// the program keeps is over with the last one.
void EndWeakFibers();

} // namespace __heddle

#endif // HEDDLE_RTL_FIBERS_H
