//===-- heddle_statistics.h - What an execution has shown -----------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With statistics_file=. The layout of the file is in heddle/server/statistics.h.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_STATISTICS_H
#define HEDDLE_RTL_STATISTICS_H

#include "heddle/schedule/operation.h"
#include "sanitizer_common/sanitizer_internal_defs.h"

namespace __heddle {

extern bool statistics; // whether they are kept

// From the flags.
void StartStatistics();
// The first thread is about to be created.
void BeginStatistics();
// The execution is over. Once.
void EndStatistics();
// This process is a child of the program, and no execution of its own.
void LeaveStatistics();

// By the thread whose turn it is, when its operation has ended.
void CountOperation(ThreadId thread, OperationKind kind);
// An engine has answered a load: what it read was stored there, and is not the newest.
void CountLoad(__sanitizer::uptr load_pc, __sanitizer::uptr store_pc, bool stale);

} // namespace __heddle

#endif // HEDDLE_RTL_STATISTICS_H
