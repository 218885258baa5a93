//===-- heddle_control_time.cpp - Time that passes in the kernel ----------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// There is one logical clock, for sleeps, timed waits and waits in the kernel. Three things move
// it besides operations and sleeps:
//
// - A call that gives up by its limit has waited that long: see AwayFromSchedule.
// - While nobody can run, the program waits for something outside, and the system's time is the
//   program's. An event loop that is woken before its limit every time would never see a timer
//   expire otherwise. It goes to the earliest limit at most, of any thread: a wait that ends by
//   its limit has taken just that long, however late the system is. Nor do idle times count that
//   are shorter than a millisecond: threads that talk to each other through pipes have many of
//   them. So the same seed shows the same time where nothing comes from outside.
//
// - A timer of the system has expired: see heddle_armed_timers.h.
//
// The last two depend on the system, and are written down in a recording.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_armed_timers.h"
#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_time.h"
#include "sanitizer_common/sanitizer_common.h"
#include "tsan_flags.h"

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {

void Control::BeginIdleTime() {
  // A replay has the time of the recording.
  if (!idle_since_ && !Playing())
    idle_since_ = MonotonicNanoTime();
}

u64 Control::EarliestLimit() const {
  u64 earliest = Min(scheduler_.NextDeadline(), NextTimer());
  for (u32 i = 0; i < threads_.Size(); i++)
    if (scheduler_.StatusOf(i) == ThreadStatus::kKernel)
      earliest = Min(earliest, threads_[i]->call_deadline);
  return earliest;
}

// How many milliseconds nobody could run since this was last asked.
u64 Control::TakeIdleTime(u64 system_now) {
  const u64 idle = idle_since_ ? (system_now - idle_since_) / kMillisecond : 0;
  if (!idle)
    return 0;
  idle_since_ += idle * kMillisecond;
  const u64 limit = EarliestLimit(), now = scheduler_.Now();
  return Min(idle, limit > now ? (limit - now) / kMillisecond : 0);
}

// The caller has the turn.
void Control::PassTime() {
  const u64 system_now = MonotonicNanoTime();
  u64 milliseconds = TakeIdleTime(system_now);
  if (timers_armed) {
    const u64 expired = TakeExpiredTimers(system_now), now = scheduler_.Now();
    if (expired > now)
      milliseconds = Max(milliseconds, (expired - now + kMillisecond - 1) / kMillisecond);
  }
  if (!milliseconds)
    return;
  scheduler_.Sleep(milliseconds * kMillisecond);
  if (UNLIKELY(Recording()))
    RecordAsync(scheduler_.Ticks(), ThreadId(milliseconds), AsyncKind::kTimePassed);
}

//===-- Timed waits -------------------------------------------------------===//

// Until it has to look again whether it is due, or anybody is stuck.
int Control::MillisecondsToSleep(const ControlledThread *thread) const {
  if (!thread->blocked_until)
    return time_slice_ms_;
  const u64 now = MonotonicNanoTime();
  const u64 left = thread->blocked_until > now ? thread->blocked_until - now : 0;
  return int(Min<u64>(left / kMillisecond + 1, u64(time_slice_ms_)));
}

// Whether its time has come on the system's clock. A logical time that has come is the scheduler's
// to notice, unless nobody asks it.
bool Control::IsDue(const ControlledThread *thread) const {
  return thread->blocked_until && MonotonicNanoTime() >= thread->blocked_until &&
         (options_.real_time || turn_.IsFree());
}

} // namespace __heddle
