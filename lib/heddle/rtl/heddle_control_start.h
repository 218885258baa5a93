//===-- heddle_control_start.h - The strategy that the flags ask for ------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_CONTROL_START_H
#define HEDDLE_RTL_CONTROL_START_H

#include "heddle/rtl/heddle_control_impl.h"

namespace __heddle {

// With a seed, which is drawn if the flags have none. Ends the process with a message if the
// flags make no sense.
StrategyInUse StrategyOfFlags();
u64 DrawSeed();

// With report_waiting_after: the time begins (heddle_waiting_report.cpp).
void StartWaitingReport();

// A schedule for a while, in a process that has none: the caller is its only thread.
void StartSchedule(__tsan::ThreadState *thr, const StrategyInUse &strategy);
void StopSchedule(__tsan::ThreadState *thr);

} // namespace __heddle

#endif // HEDDLE_RTL_CONTROL_START_H
