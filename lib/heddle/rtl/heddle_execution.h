//===-- heddle_execution.h - What an execution did, to be shown -----------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With execution_file=: every visible operation with its stack, its values, the store
// that it read and the thread's clock, and the reports. The format is in docs/show.md.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_EXECUTION_H
#define HEDDLE_RTL_EXECUTION_H

#include "heddle/schedule/operation.h"
#include "sanitizer_common/sanitizer_internal_defs.h"

namespace __tsan {
class ReportDesc;
struct ThreadState;
} // namespace __tsan

namespace __heddle {

struct AtomicAccess;
struct ControlledThread;
struct StoredValue;

extern bool writes_execution;

void OpenExecution(const char *path);
void AbandonExecution(); // it is the parent's
void CutExecution();     // nothing more is expected

// By the thread whose turn it is. What is described belongs to the operation that has begun.
void OperationBegins(ControlledThread *thread);
void DescribeAccess(const AtomicAccess &access);
void DescribeReadsFrom(const StoredValue &store, u32 newer);
void DescribeChild(ThreadId child);
void OperationEnds(const ControlledThread *thread, u64 tick);

// By any thread. `report` if there is one; `pc` if it is known.
void WriteReport(__tsan::ThreadState *thr, uptr pc, const char *what,
                 const __tsan::ReportDesc *report);

} // namespace __heddle

#endif // HEDDLE_RTL_EXECUTION_H
