//===-- heddle_time.h - Time under a schedule -----------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With real_sleep=0 time is logical. Clocks show the time at the start of the
// program, and since then as many nanoseconds as the scheduler counts: some for
// each operation, and all that was slept or waited for.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_TIME_H
#define HEDDLE_RTL_TIME_H

#include "heddle/choice/types.h"

namespace __tsan {
class ScopedInterceptor;
struct ThreadState;
} // namespace __tsan

namespace __heddle {

// In nanoseconds.
constexpr u64 kMillisecond = 1000000, kSecond = 1000 * kMillisecond;

// The scheduler's time at which a clock will show `abstime`, a timespec; now, if
// that is past. Call it within a VisibleOperation, or where one is about to begin.
u64 DeadlineOf(int clock, const void *abstime);
// So many nanoseconds from now.
u64 DeadlineAfter(u64 nanoseconds);
// What a clock shows, in nanoseconds. False if it is not one of those that show
// the time of day or since some start.
bool ShowClock(int clock, u64 *nanoseconds);
// A schedule begins: clocks go on from what they show now.
void BeginLogicalTime();

// When a call gives up waiting: never, or when a clock shows a time.
class TimeLimit {
public:
  TimeLimit() = default;
  TimeLimit(int clock, const void *abstime) : clock_(clock), abstime_(abstime) {}

  bool Never() const { return !abstime_; }
  // Whether libc would accept it.
  bool Valid() const;
  // In the scheduler's time; the same in each call. Within a VisibleOperation.
  u64 Deadline();
  // For a wait outside of the schedule, when it has been asked for the deadline: the
  // timespec at which the system's CLOCK_REALTIME will have gone on as long.
  void OnSystemClock(void *abstime) const;
  // How long it is until then, in nanoseconds.
  u64 Left() const;

private:
  int clock_ = 0;
  const void *abstime_ = nullptr;
  bool known_ = false;
  u64 deadline_ = ~0ull;
};

// The clocks are put forward, and others go on. A cancellation point.
void SleepFor(__tsan::ThreadState *thr, __tsan::ScopedInterceptor &si, uptr pc, u64 nanoseconds);

} // namespace __heddle

#endif // HEDDLE_RTL_TIME_H
