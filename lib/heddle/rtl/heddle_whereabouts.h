//===-- heddle_whereabouts.h - Where another thread is --------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The time slice has to tell a thread that computes, which is waited for, from one that waits in a
// loop in code that we do not see. The system says that a thread runs, but not where; so it is
// asked, with a signal.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_WHEREABOUTS_H
#define HEDDLE_RTL_WHEREABOUTS_H

#include "sanitizer_common/sanitizer_internal_defs.h"

namespace __heddle {

struct ControlledThread;

struct Whereabouts {
  __sanitizer::uptr pc = 0; // 0: it has not answered
  __sanitizer::uptr progress =
      0; // where its trace ends: instrumented code and interceptors move that
  __sanitizer::u64 processor_time = 0; // nanoseconds so far
};

// Asks a thread that runs, and waits so long for the answer at most. Nobody else may be asking.
Whereabouts AskForWhereabouts(const ControlledThread *thread, int milliseconds);

// The same, and if it is in OpenMP's runtime it yields there, as an operation of the schedule.
void AskToYield(const ControlledThread *thread, int milliseconds);

// The processor's time that it has had, in nanoseconds.
__sanitizer::u64 ProcessorTimeOf(const ControlledThread *thread);

// With the same signal: the thread, which computes, is to end there if it has been cancelled
// (CancelWhereItIs).
void TellToEnd(ControlledThread *thread);

} // namespace __heddle

#endif // HEDDLE_RTL_WHEREABOUTS_H
