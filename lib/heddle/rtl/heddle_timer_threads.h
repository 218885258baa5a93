//===-- heddle_timer_threads.h - Timers that call a function --------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With SIGEV_THREAD a timer calls a function in a new thread each time that it expires. libc has a
// thread of its own that waits for that, and creates the others by itself: the runtime would not
// know any of them, and the first access in the function would crash. So the waiting thread is one
// that the runtime creates as the program would, with pthread_create, and so are those that call
// the function. It waits with sigwaitinfo for the signal that libc uses for this, too. All that it
// does has its place in the schedule and in a recording, as if the program did it.
//
// The function is ordered after timer_create and timer_settime.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_TIMER_THREADS_H
#define HEDDLE_RTL_TIMER_THREADS_H

#include "tsan_rtl.h"

#include <signal.h>

namespace __heddle {

// The event for the system: `instead` if the program's asks for threads. Null if there can be none;
// errno says why. Outside of any operation.
const sigevent *NotifyTimerThread(__tsan::ThreadState *thr, uptr pc, const sigevent *event,
                                  sigevent *instead);

// A timer is about to be set.
void BeforeTimerIsSet(__tsan::ThreadState *thr, uptr pc);

} // namespace __heddle

#endif // HEDDLE_RTL_TIMER_THREADS_H
