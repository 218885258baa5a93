//===-- heddle_attempts.h - Waiting by attempts -------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most calls that wait can be made of attempts that do not: each is an operation,
// and one that fails blocks the thread until another changes the object (the
// thesis's figure 4.4). Being woken is no promise: others may come first.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_ATTEMPTS_H
#define HEDDLE_RTL_ATTEMPTS_H

#include "heddle/rtl/heddle_cancel.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_shared_memory.h"
#include "heddle/rtl/heddle_time.h"

#include <errno.h>

namespace __heddle {

struct Attempts {
  OperationKind operation;
  WaitKind wait;
  const volatile void *object;
  TimeLimit limit = TimeLimit();
  bool may_be_shared = false;         // EBUSY if other processes may have it: see AwaitsOthers
  bool interruptible = false;         // a signal may end it with EINTR
  bool is_cancellation_point = false; // ECANCELED, see heddle_cancel.h
};

// After a failed attempt: whether it is a process outside of the schedule that has the object, or
// may change it. Whoever has a lock in this process wakes those who wait for it here.
inline bool AwaitsOthers(const Attempts &attempts, VisibleOperation &visible) {
  return attempts.may_be_shared && !visible.IsHeld(attempts.object) && IsAway(attempts.object);
}

// Calls attempt(visible) until it returns other than EBUSY, and returns that; or
// ETIMEDOUT, EINTR, ECANCELED, or EINVAL for an invalid limit.
template <class Attempt>
int Perform(__tsan::ThreadState *thr, uptr pc, Attempts &attempts, const Attempt &attempt) {
  if (!attempts.limit.Valid())
    return EINVAL;
  for (;;) {
    VisibleOperation visible(thr, pc, attempts.operation, attempts.object);
    if (attempts.is_cancellation_point && visible.Cancelled())
      return ECANCELED;
    int result;
    Outcome outcome = Outcome::kWoken;
    WaitFor wait;
    wait.kind = attempts.wait;
    wait.object = reinterpret_cast<uptr>(attempts.object);
    wait.deadline = attempts.limit.Deadline();
    bool away = false;
    while ((result = attempt(visible)) == EBUSY && outcome == Outcome::kWoken &&
           !(away = AwaitsOthers(attempts, visible))) {
      visible.Unproductive();
      outcome = visible.Block(wait);
    }
    if (result != EBUSY)
      return result;
    visible.Unproductive();
    if (away)
      return EBUSY;
    if (outcome == Outcome::kTimedOut)
      return ETIMEDOUT;
    visible.End();
    if (HandleSignals(thr) && attempts.interruptible)
      return EINTR;
    if (UNLIKELY(async_cancels) && EndsByAsyncCancel(thr))
      return ECANCELED;
  }
}

} // namespace __heddle

#endif // HEDDLE_RTL_ATTEMPTS_H
