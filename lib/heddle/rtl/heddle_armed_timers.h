//===-- heddle_armed_timers.h - The program's timers, and its clock -------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Timers (timerfd, timer_create, setitimer, alarm) are the kernel's, and run in the system's time.
// The program's clocks show another one. So a time at which a timer is to expire is put on the
// system's clock, by as much as it is away on the program's; and when it has expired the logical
// clock has passed that time.
//
// The table is used by the thread that has the turn. A replay has no timers: its time is the
// recording's.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_ARMED_TIMERS_H
#define HEDDLE_RTL_ARMED_TIMERS_H

#include "heddle/choice/types.h"

namespace __heddle {

extern bool timers_armed; // any

// The earliest logical time at which one expires, or ~0.
u64 NextTimer();
// The logical time to which those have brought the clock that have expired on the system's; 0:
// none. They are armed again, if they repeat.
u64 TakeExpiredTimers(u64 system_now);
// The process is another one now, and has none.
void ForgetTimers();

} // namespace __heddle

#endif // HEDDLE_RTL_ARMED_TIMERS_H
