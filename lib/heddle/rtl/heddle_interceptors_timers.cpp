//===-- heddle_interceptors_timers.cpp - Timers are armed -----------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See heddle_armed_timers.h. Timers that count a CPU's time are left alone. What is left until a
// timer expires is told as the system sees it.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_armed_timers.h"
#include "heddle/rtl/heddle_system_calls.h"
#include "heddle/rtl/heddle_timer_threads.h"

#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>

using namespace __sanitizer;
using namespace __tsan;
using namespace __heddle;

namespace __heddle {

bool timers_armed;

namespace {

enum class TimerKind : u8 { kDescriptor, kCreated, kInterval };

struct Timer {
  TimerKind kind;
  int clock;
  uptr number;
  bool armed;
  u64 logical, system; // when it expires, on either clock
  u64 interval;        // and then again and again; 0: not
};

// A descriptor that has been closed stays, until another one has its number.
Growable<Timer, RuntimeMemory> *timers;

Timer *FindTimer(TimerKind kind, uptr number) {
  for (uptr i = 0; timers && i < timers->Size(); i++)
    if ((*timers)[i].kind == kind && (*timers)[i].number == number)
      return &(*timers)[i];
  return nullptr;
}

void NewTimer(TimerKind kind, uptr number, int clock) {
  if (UNLIKELY(processes_together))
    atomic_store_relaxed(&ThisMember().has_timers, 1);
  if (!timers)
    timers = New<Growable<Timer, RuntimeMemory>>();
  Timer *timer = FindTimer(kind, number);
  if (!timer) {
    timers->Push(Timer());
    timer = &timers->Back();
  }
  *timer = Timer();
  timer->kind = kind;
  timer->number = number;
  timer->clock = clock;
}

void CountArmed() {
  timers_armed = false;
  for (uptr i = 0; i < timers->Size(); i++)
    timers_armed |= (*timers)[i].armed;
}

// So many nanoseconds after the system's time before it was set; 0 disarms it.
void Arm(Timer &timer, u64 system_now, u64 after, u64 interval) {
  if (Playing())
    return;
  timer.armed = after;
  timer.logical = LogicalNow() + after;
  timer.system = system_now + after;
  timer.interval = interval;
  CountArmed();
}

bool IsClockOfTime(int clock) {
  u64 shown;
  return ShowClock(clock, &shown);
}

// How long it is to the time of a timer, in nanoseconds; 0 if it is to be disarmed.
u64 Until(int clock, bool absolute, const timespec &time) {
  if (!time.tv_sec && !time.tv_nsec)
    return 0;
  const u64 after = absolute ? DeadlineOf(clock, &time) - LogicalNow() : LimitOf(&time);
  return after ? after : 1; // it expires at once
}

// Calls `set` with the time on the system's clock, within an operation.
template <class Set>
int SetTimer(ThreadState *thr, uptr pc, TimerKind kind, uptr number, int flags,
             const itimerspec &time, Set set) {
  VisibleOperation visible(thr, pc, OperationKind::kSystemCall, nullptr);
  Timer *timer = FindTimer(kind, number);
  const bool absolute = flags & TIMER_ABSTIME;
  if (!timer || !IsClockOfTime(timer->clock) || LimitOf(&time.it_value) == ~0ull)
    return set(flags, time);
  const u64 after = Until(timer->clock, absolute, time.it_value);
  itimerspec on_system = time;
  if (absolute && after)
    on_system.it_value = {time_t(after / kSecond), long(after % kSecond)};
  const u64 system_now = MonotonicNanoTime();
  const int result = set(absolute ? 0 : flags, on_system);
  if (!result)
    Arm(*timer, system_now, after, LimitOf(&time.it_interval));
  return result;
}

} // namespace

u64 NextTimer() {
  u64 next = ~0ull;
  for (uptr i = 0; timers_armed && i < timers->Size(); i++)
    if ((*timers)[i].armed)
      next = Min(next, (*timers)[i].logical);
  return next;
}

u64 TakeExpiredTimers(u64 system_now) {
  u64 passed = 0;
  for (uptr i = 0; i < timers->Size(); i++) {
    Timer &timer = (*timers)[i];
    if (!timer.armed || timer.system > system_now)
      continue;
    const u64 more = timer.interval ? (system_now - timer.system) / timer.interval : 0;
    timer.logical += more * timer.interval;
    timer.system += more * timer.interval;
    passed = Max(passed, timer.logical);
    timer.armed = timer.interval;
    timer.logical += timer.interval;
    timer.system += timer.interval;
  }
  CountArmed();
  return passed;
}

void ForgetTimers() {
  if (timers)
    timers->Clear();
  timers_armed = false;
}

} // namespace __heddle

//===-- Of a descriptor ---------------------------------------------------===//

HEDDLE_NEW_INTERCEPTOR(int, timerfd_create, (int clock, int flags), (clock, flags)) {
  HEDDLE_CONTROLLED(timerfd_create, clock, flags);
  return Operate(thr, pc, kNoFile, [&] {
    const int fd = __interceptor_timerfd_create(clock, flags);
    if (fd >= 0)
      NewTimer(TimerKind::kDescriptor, uptr(fd), clock);
    return fd;
  });
}

HEDDLE_INTERCEPTOR(int, timerfd_settime, int fd, int flags, const itimerspec *time,
                   itimerspec *old) {
  HEDDLE_CONTROLLED(timerfd_settime, fd, flags, time, old);
  if (!TimeIsLogical() || !time)
    return __interceptor_timerfd_settime(fd, flags, time, old);
  static_assert(int(TFD_TIMER_ABSTIME) == int(TIMER_ABSTIME));
  return SetTimer(thr, pc, TimerKind::kDescriptor, uptr(fd), flags, *time,
                  [&](int flags, const itimerspec &time) {
                    return __interceptor_timerfd_settime(fd, flags, &time, old);
                  });
}

//===-- Of timer_create ---------------------------------------------------===//

HEDDLE_NEW_INTERCEPTOR(int, timer_create, (int clock, sigevent *event, timer_t *timer),
                       (clock, event, timer)) {
  sigevent instead;
  auto *const for_system = const_cast<sigevent *>(
      NotifyTimerThread(cur_thread_init(), GET_CURRENT_PC(), event, &instead));
  if (event && !for_system)
    return -1;
  event = for_system;
  HEDDLE_CONTROLLED(timer_create, clock, event, timer);
  return Operate(thr, pc, kNoFile, [&] {
    const int result = __interceptor_timer_create(clock, event, timer);
    if (!result)
      NewTimer(TimerKind::kCreated, uptr(*timer), clock);
    return result;
  });
}

HEDDLE_NEW_INTERCEPTOR(int, timer_settime,
                       (timer_t timer, int flags, const itimerspec *value, itimerspec *old),
                       (timer, flags, value, old)) {
  BeforeTimerIsSet(cur_thread_init(), GET_CURRENT_PC());
  HEDDLE_CONTROLLED(timer_settime, timer, flags, value, old);
  if (!TimeIsLogical() || !value)
    return __interceptor_timer_settime(timer, flags, value, old);
  return SetTimer(thr, pc, TimerKind::kCreated, uptr(timer), flags, *value,
                  [&](int flags, const itimerspec &value) {
                    return __interceptor_timer_settime(timer, flags, &value, old);
                  });
}

HEDDLE_NEW_INTERCEPTOR(int, timer_delete, (timer_t timer), (timer)) {
  HEDDLE_CONTROLLED(timer_delete, timer);
  return Operate(thr, pc, kNoFile, [&] {
    const int result = __interceptor_timer_delete(timer);
    if (Timer *known = result ? nullptr : FindTimer(TimerKind::kCreated, uptr(timer)))
      Arm(*known, 0, 0, 0);
    return result;
  });
}

//===-- The process's own -------------------------------------------------===//

namespace {

constexpr uptr kRealTimer = 0; // alarm and ualarm have the same

void ArmRealTimer(u64 system_now, u64 after, u64 interval) {
  if (!TimeIsLogical())
    return;
  if (!FindTimer(TimerKind::kInterval, kRealTimer))
    NewTimer(TimerKind::kInterval, kRealTimer, CLOCK_MONOTONIC);
  Arm(*FindTimer(TimerKind::kInterval, kRealTimer), system_now, after, interval);
}

} // namespace

HEDDLE_INTERCEPTOR(int, setitimer, int which, const itimerval *value, itimerval *old) {
  HEDDLE_CONTROLLED(setitimer, which, value, old);
  return Operate(thr, pc, kNoFile, [&] {
    const u64 system_now = MonotonicNanoTime();
    const int result = __interceptor_setitimer(which, value, old);
    if (!result && which == ITIMER_REAL && value)
      ArmRealTimer(system_now, LimitOf(&value->it_value), LimitOf(&value->it_interval));
    return result;
  });
}

HEDDLE_NEW_INTERCEPTOR(u32, alarm, (u32 seconds), (seconds)) {
  HEDDLE_CONTROLLED(alarm, seconds);
  return Operate(thr, pc, kNoFile, [&] {
    const u64 system_now = MonotonicNanoTime();
    const u32 left = __interceptor_alarm(seconds);
    ArmRealTimer(system_now, seconds * kSecond, 0);
    return left;
  });
}

HEDDLE_NEW_INTERCEPTOR(u32, ualarm, (u32 first, u32 then), (first, then)) {
  HEDDLE_CONTROLLED(ualarm, first, then);
  return Operate(thr, pc, kNoFile, [&] {
    const u64 system_now = MonotonicNanoTime();
    const u32 left = __interceptor_ualarm(first, then);
    ArmRealTimer(system_now, first * u64(1000), then * u64(1000));
    return left;
  });
}
