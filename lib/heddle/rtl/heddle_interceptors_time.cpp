//===-- heddle_interceptors_time.cpp - Sleeps and clocks ------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sleep under logical time is a choice of when to go on, not a delay: the clocks
// are put forward, and the strategy learns that the thread waits for others.
//
// To look at a clock is an operation, though a program may do so often: what a clock
// shows depends on how many operations came before, so its place among them
// must be the same when the schedule is repeated. It costs as much as an atomic
// load does. Who looks again and again until a time has come does not wait for long,
// see Scheduler::LookedAtClock.
//
// Clocks that show the time a CPU was used for are not logical, and are not part of
// the schedule. Timers are in heddle_armed_timers.h.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_cancel.h"
#include "heddle/rtl/heddle_inputs.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_time.h"

#include <errno.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <time.h>

using namespace __sanitizer;
using namespace __tsan;
using namespace __heddle;

DECLARE_REAL(int, clock_gettime, u32 clock, void *tp)

namespace {

// At least 0, and at most what can be counted.
u64 Nanoseconds(const timespec &time) {
  if (time.tv_sec < 0)
    return 0;
  if (u64(time.tv_sec) >= ~0ull / kSecond)
    return ~0ull;
  return u64(time.tv_sec) * kSecond + u64(time.tv_nsec);
}

bool IsTime(const timespec &time) {
  return time.tv_sec >= 0 && time.tv_nsec >= 0 && u64(time.tv_nsec) < kSecond;
}

timespec TimespecOf(u64 nanoseconds) {
  timespec time;
  time.tv_sec = nanoseconds / kSecond;
  time.tv_nsec = nanoseconds % kSecond;
  return time;
}

// The clocks that show logical time, and what they showed when one of them was first
// asked, less the logical time then. Written by the thread whose turn it is.
struct LogicalClock {
  int clock;
  u64 base;
};
LogicalClock clocks[] = {{CLOCK_REALTIME}, {CLOCK_MONOTONIC},       {CLOCK_MONOTONIC_RAW},
                         {CLOCK_BOOTTIME}, {CLOCK_REALTIME_COARSE}, {CLOCK_MONOTONIC_COARSE},
                         {CLOCK_TAI}};
bool bases_known;

LogicalClock *FindClock(int id) {
  for (LogicalClock &clock : clocks)
    if (clock.clock == id)
      return &clock;
  return nullptr;
}

// What the system's clock shows is input.
int ReadClock(int id, timespec *time) {
  return Through<int>(
      kInputClock, [] { return true; }, [&] { return REAL(clock_gettime)(id, time); },
      [&](auto &io, int result) {
        if (!result)
          io.Value(time);
      });
}

u64 RealClock(int id) {
  timespec now = {};
  ReadClock(id, &now);
  return Nanoseconds(now);
}

// What a clock shows, as an operation. It must be one of the above.
u64 LookAt(ThreadState *thr, uptr pc, int id) {
  VisibleOperation visible(thr, pc, OperationKind::kClock, nullptr);
  visible.LookAtClock();
  u64 nanoseconds = 0;
  ShowClock(id, &nanoseconds);
  return nanoseconds;
}

} // namespace

namespace __heddle {

void BeginLogicalTime() { bases_known = false; }

bool ShowClock(int id, u64 *nanoseconds) {
  LogicalClock *clock = FindClock(id);
  if (!clock)
    return false;
  if (!TimeIsLogical()) {
    *nanoseconds = RealClock(id);
    return true;
  }
  if (!bases_known) {
    // All at once: they differ by as much as they do in reality.
    for (LogicalClock &each : clocks)
      each.base = RealClock(each.clock) - LogicalNow();
    bases_known = true;
  }
  *nanoseconds = clock->base + LogicalNow();
  return true;
}

u64 DeadlineOf(int id, const void *abstime) {
  u64 shown, wanted = Nanoseconds(*static_cast<const timespec *>(abstime));
  if (wanted == ~0ull)
    return WaitFor::kNoDeadline; // as good as never
  if (!ShowClock(id, &shown))
    shown = RealClock(id);
  return LogicalNow() + (wanted > shown ? wanted - shown : 0);
}

u64 DeadlineAfter(u64 nanoseconds) { return LogicalNow() + nanoseconds; }

bool TimeLimit::Valid() const {
  if (Never())
    return true;
  long nanoseconds = static_cast<const timespec *>(abstime_)->tv_nsec;
  return (clock_ == CLOCK_REALTIME || clock_ == CLOCK_MONOTONIC) && nanoseconds >= 0 &&
         nanoseconds < long(kSecond);
}

u64 TimeLimit::Deadline() {
  if (!known_ && !Never())
    deadline_ = DeadlineOf(clock_, abstime_);
  known_ = true;
  return deadline_;
}

u64 TimeLimit::Left() const {
  const u64 now = LogicalNow();
  return deadline_ > now ? deadline_ - now : 0;
}

void TimeLimit::OnSystemClock(void *abstime) const {
  // Not RealClock: that is input, and who asks for it is back from where it was away.
  const u64 left = Left(), time = NanoTime();
  *static_cast<timespec *>(abstime) = TimespecOf(left < ~0ull - time ? time + left : ~0ull);
}

void SleepFor(ThreadState *thr, ScopedInterceptor &si, uptr pc, u64 nanoseconds) {
  u64 deadline = 0;
  for (bool over = false; !over;) {
    VisibleOperation visible(thr, pc, OperationKind::kSleep, nullptr);
    bool cancelled = CancelRequested(thr);
    if (!cancelled) {
      deadline = deadline ? deadline : DeadlineAfter(nanoseconds);
      WaitFor wait;
      wait.kind = WaitKind::kTime;
      wait.deadline = deadline;
      over = visible.Block(wait) == Outcome::kTimedOut;
      cancelled = !over && CancelRequested(thr);
    }
    visible.End();
    if (cancelled)
      ActOnCancel(si);
    if (!over)
      HandleSignals(thr);
  }
  AfterSleep(thr, pc);
}

} // namespace __heddle

//===-- Sleeps ------------------------------------------------------------===//

// Upstream leaves the schedule by itself in those of its calls that sleep.
#define LOGICAL_TIME(name, ...)                                                                    \
  HEDDLE_CONTROLLED(name, __VA_ARGS__);                                                            \
  if (!TimeIsLogical())                                                                            \
  return CallCancellable(thr, [&] { return __interceptor_##name(__VA_ARGS__); })

HEDDLE_INTERCEPTOR(unsigned, sleep, unsigned seconds) {
  LOGICAL_TIME(sleep, seconds);
  SleepFor(thr, si, pc, u64(seconds) * kSecond);
  return 0;
}

HEDDLE_INTERCEPTOR(int, usleep, unsigned microseconds) {
  LOGICAL_TIME(usleep, microseconds);
  SleepFor(thr, si, pc, u64(microseconds) * 1000);
  return 0;
}

HEDDLE_INTERCEPTOR(int, nanosleep, const timespec *time, timespec *left) {
  LOGICAL_TIME(nanosleep, time, left);
  if (!IsTime(*time)) {
    errno = EINVAL;
    return -1;
  }
  SleepFor(thr, si, pc, Nanoseconds(*time));
  return 0;
}

HEDDLE_NEW_INTERCEPTOR(int, clock_nanosleep,
                       (int clock, int flags, const timespec *time, timespec *left),
                       (clock, flags, time, left)) {
  HEDDLE_CONTROLLED(clock_nanosleep, clock, flags, time, left);
  u64 shown = 0;
  if (!TimeIsLogical() || !FindClock(clock)) {
    return CallCancellable(thr, [&] {
      AwayFromSchedule away(thr);
      return __interceptor_clock_nanosleep(clock, flags, time, left);
    });
  }
  if (!IsTime(*time))
    return EINVAL;
  const u64 wanted = Nanoseconds(*time);
  if (flags & TIMER_ABSTIME)
    shown = LookAt(thr, pc, clock);
  SleepFor(thr, si, pc, wanted > shown ? wanted - shown : 0);
  return 0;
}

//===-- Clocks ------------------------------------------------------------===//

#undef LOGICAL_TIME
#define LOGICAL_TIME(name, ...)                                                                    \
  HEDDLE_CONTROLLED(name, __VA_ARGS__);                                                            \
  if (!TimeIsLogical())                                                                            \
  return __interceptor_##name(__VA_ARGS__)

HEDDLE_INTERCEPTOR(int, clock_gettime, u32 clock, timespec *time) {
  HEDDLE_CONTROLLED(clock_gettime, clock, time);
  if (!time)
    return __interceptor_clock_gettime(clock, time);
  if (!TimeIsLogical() || !FindClock(clock)) {
    if (const int result = ReadClock(clock, time))
      return result;
  } else {
    *time = TimespecOf(LookAt(thr, pc, clock));
  }
  MemoryAccessRange(thr, pc, reinterpret_cast<uptr>(time), sizeof(*time), /*is_write=*/true);
  return 0;
}

HEDDLE_INTERCEPTOR(int, gettimeofday, timeval *time, void *zone) {
  LOGICAL_TIME(gettimeofday, time, zone);
  if (zone || !time) {
    int result = __interceptor_gettimeofday(time, zone);
    if (result || !time)
      return result;
  }
  u64 nanoseconds = LookAt(thr, pc, CLOCK_REALTIME);
  time->tv_sec = nanoseconds / kSecond;
  time->tv_usec = nanoseconds % kSecond / 1000;
  return 0;
}

HEDDLE_INTERCEPTOR(time_t, time, time_t *time) {
  LOGICAL_TIME(time, time);
  time_t seconds = LookAt(thr, pc, CLOCK_REALTIME) / kSecond;
  if (time) {
    *time = seconds;
    MemoryAccessRange(thr, pc, reinterpret_cast<uptr>(time), sizeof(*time), /*is_write=*/true);
  }
  return seconds;
}

HEDDLE_INTERCEPTOR(int, ftime, timeb *time) {
  LOGICAL_TIME(ftime, time);
  u64 nanoseconds = LookAt(thr, pc, CLOCK_REALTIME);
  *time = {time_t(nanoseconds / kSecond), u16(nanoseconds % kSecond / 1000000), 0, 0};
  MemoryAccessRange(thr, pc, reinterpret_cast<uptr>(time), sizeof(*time), /*is_write=*/true);
  return 0;
}

HEDDLE_NEW_INTERCEPTOR(int, timespec_get, (timespec * time, int base), (time, base)) {
  LOGICAL_TIME(timespec_get, time, base);
  if (base != TIME_UTC)
    return __interceptor_timespec_get(time, base);
  *time = TimespecOf(LookAt(thr, pc, CLOCK_REALTIME));
  return base;
}
