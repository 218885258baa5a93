//===-- heddle_stale_reads.h - Notes about loads of stale stores ----------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_STALE_READS_H
#define HEDDLE_RTL_STALE_READS_H

#include "tsan_defs.h"

namespace __tsan {
struct ThreadState;
}

namespace __heddle {

// The last stale reads of the threads given, or of all. The thread registry and the
// slots are locked.
void PrintStaleReads(const __tsan::Tid *tids, __sanitizer::uptr count);
// Likewise; nothing is locked.
void PrintAllStaleReads();
// Those that the thread has not printed yet.
void PrintNewStaleReads(__tsan::ThreadState *thr);
// Those of an execution that is over, when no other thread is in one.
void ForgetStaleReads();

} // namespace __heddle

#endif // HEDDLE_RTL_STALE_READS_H
