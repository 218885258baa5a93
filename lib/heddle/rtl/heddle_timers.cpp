//===-- heddle_timers.cpp - Timers of the system --------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// When no thread can go on, or all wait in loops, a timer's signal may still come, and its
// handler change that: it is neither a deadlock nor a livelock. The timers are asked
// then, and not followed from call to call. Those that count a CPU's time do not go on while all
// threads wait. A signal from another process cannot be foreseen. In a replay no timer runs, and
// the demo says what is still to come.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "sanitizer_common/sanitizer_file.h"
#include "sanitizer_common/sanitizer_libc.h"

#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {
namespace {

bool IntervalTimerRuns() {
  itimerval timer = {};
  return !KernelCall(SYS_getitimer, ITIMER_REAL, &timer) &&
         (timer.it_value.tv_sec || timer.it_value.tv_usec);
}

// Of timer_create. The system lists those there are, by number.
bool CreatedTimerRuns() {
  char text[4096];
  fd_t file = OpenFile("/proc/self/timers", RdOnly);
  if (file == kInvalidFd)
    return false;
  uptr size = 0;
  ReadFromFile(file, text, sizeof(text) - 1, &size);
  CloseFile(file);
  text[size] = '\0';
  constexpr char kId[] = "ID: ";
  for (const char *at = text; (at = internal_strstr(at, kId));) {
    at += sizeof(kId) - 1;
    itimerspec timer = {};
    if (!KernelCall(SYS_timer_gettime, int(internal_atoll(at)), &timer) &&
        (timer.it_value.tv_sec || timer.it_value.tv_nsec))
      return true;
  }
  return false;
}

} // namespace

bool TimerRuns() {
  return Playing() ? MoreComesFromOutside(control->scheduler().Ticks())
                   : IntervalTimerRuns() || CreatedTimerRuns();
}

// The timers of another process of the group are for that one to ask for.
static bool OthersMaySignal(bool ours_may) {
  atomic_store_relaxed(&ThisMember().has_timers, ours_may);
  for (MemberId id = 0; id < Members(); id++)
    if (id != this_member && !MemberAt(id).gone && atomic_load_relaxed(&MemberAt(id).has_timers))
      return true;
  return false;
}

// A signal may have been sent and not handled yet: the thread has it, or it is on its way to a
// thread that the system has yet to run. The latter has a time slice to come.
bool SignalMayCome() {
  static bool ran_before;
  const bool runs = TimerRuns(), may_come = runs || ran_before;
  ran_before = runs;
  if (UNLIKELY(processes_together) && OthersMaySignal(may_come))
    return true;
  for (u32 i = 0; i < control->Threads(); i++) {
    const ThreadState *thr = IsOurs(control->At(i)) ? control->At(i)->thr : nullptr;
    if (thr && atomic_load_relaxed(&thr->pending_signals))
      return true;
  }
  return may_come;
}

} // namespace __heddle
