//===-- heddle_system_calls.h - System calls as operations ----------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a row of a table of system calls becomes.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_SYSTEM_CALLS_H
#define HEDDLE_RTL_SYSTEM_CALLS_H

#include "heddle/rtl/heddle_cancel.h"
#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_input.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_time.h"

#include <sys/time.h>
#include <time.h>

namespace __heddle {

// Operations on one descriptor are in conflict. Not the address of anything.
inline const void *ObjectOf(int fd) { return reinterpret_cast<const void *>(~uptr(u32(fd))); }
constexpr int kNoFile = -1;

// A call that is one operation. libc may act upon a cancellation in it (close, mkstemp), which
// waits for the next cancellation point.
template <class Call>
auto Operate(__tsan::ThreadState *thr, uptr pc, int fd, Call call) -> decltype(call()) {
  VisibleOperation visible(thr, pc, OperationKind::kSystemCall,
                           fd == kNoFile ? nullptr : ObjectOf(fd));
  CancelDisabled disabled(CancelRequested(thr));
  DescriptorLock lock;
  auto result = call();
  if (result == decltype(result)(-1))
    visible.Unproductive();
  return result;
}

// One that may wait, and is a cancellation point.
template <class Call>
auto Perform(__tsan::ThreadState *thr, __tsan::ScopedInterceptor &si, uptr pc, int fd,
             bool may_wait, Call call, AwayFromSchedule::When when = AwayFromSchedule::kInCall)
    -> decltype(call()) {
  if (may_wait) {
    return CallCancellable(thr, [&] {
      AwayFromSchedule away(thr, when);
      AsyncCancelInCall async(ThreadWithInput() ? nullptr : ControlledOf(thr));
      return call();
    });
  }
  VisibleOperation visible(thr, pc, OperationKind::kSystemCall,
                           fd == kNoFile ? nullptr : ObjectOf(fd));
  if (CancelRequested(thr)) {
    visible.End();
    ActOnCancel(si);
  }
  DescriptorLock lock;
  auto result = call();
  if (result == decltype(result)(-1))
    visible.Unproductive();
  return result;
}

// One that gives up after so many nanoseconds, or never: AwayFromSchedule::kNoLimit. `gave_up`
// tells by its result whether it has.
template <class Call, class GaveUp>
auto PerformLimited(__tsan::ThreadState *thr, __tsan::ScopedInterceptor &si, uptr pc, int fd,
                    u64 limit, Call call, GaveUp gave_up) -> decltype(call()) {
  if (!limit)
    return Perform(thr, si, pc, fd, /*may_wait=*/false, call);
  return CallCancellable(thr, [&] {
    AwayFromSchedule away(thr, AwayFromSchedule::kInCall, limit);
    AsyncCancelInCall async(ThreadWithInput() ? nullptr : ControlledOf(thr));
    auto result = call();
    if (gave_up(result))
      away.GaveUp();
    return result;
  });
}

// Limits as calls have them.
inline u64 LimitOf(int milliseconds) {
  return milliseconds < 0 ? AwayFromSchedule::kNoLimit : u64(milliseconds) * kMillisecond;
}
u64 LimitOf(const timespec *time);
u64 LimitOf(const timeval *time);

} // namespace __heddle

// The body of those below. `when` is when the thread leaves the schedule.
#define PERFORM_CALL(name, arguments, fd, may_wait, when)                                          \
  {                                                                                                \
    if (LIKELY(!schedule_controlled))                                                              \
      return __interceptor_##name arguments;                                                       \
    HEDDLE_CONTROLLED_OR(name, return __interceptor_##name arguments);                             \
    return Perform(                                                                                \
        thr, si, pc, fd, may_wait, [&] { return __interceptor_##name arguments; },                 \
        AwayFromSchedule::when);                                                                   \
  }

// Of one that upstream intercepts: the result, the name, the parameters, the arguments, the
// descriptor, and when it may wait.
#define SYSTEM_CALL(result, name, parameters, arguments, fd, may_wait)                             \
  extern "C" result __interceptor_##name parameters;                                               \
  HEDDLE_WEAK_FUNCTION(result, name, parameters)                                                   \
  PERFORM_CALL(name, arguments, fd, may_wait, kInCall)

// The same, if the call is not in heddle_inputs.inc.
#define UNRECORDED_CALL(result, name, parameters, arguments, fd, may_wait)                         \
  extern "C" result __interceptor_##name parameters;                                               \
  HEDDLE_WEAK_FUNCTION(result, name, parameters)                                                   \
  PERFORM_CALL(name, arguments, fd, may_wait, kAtOnce)

// Of one that it does not.
#define SYSTEM_CALL_OF_LIBC(result, name, parameters, arguments, fd, may_wait)                     \
  HEDDLE_NEW_INTERCEPTOR(result, name, parameters, arguments)                                      \
  PERFORM_CALL(name, arguments, fd, may_wait, kInCall)

// The same, with the nanoseconds after which it gives up, and whether it did by its `result`.
#define LIMITED_BODY(result_type, name, arguments, fd, limit, gave_up)                             \
  {                                                                                                \
    if (LIKELY(!schedule_controlled))                                                              \
      return __interceptor_##name arguments;                                                       \
    HEDDLE_CONTROLLED_OR(name, return __interceptor_##name arguments);                             \
    return PerformLimited(                                                                         \
        thr, si, pc, fd, limit, [&] { return __interceptor_##name arguments; },                    \
        [](result_type result) { return gave_up; });                                               \
  }
#define LIMITED_CALL(result, name, parameters, arguments, fd, limit, gave_up)                      \
  extern "C" result __interceptor_##name parameters;                                               \
  HEDDLE_WEAK_FUNCTION(result, name, parameters)                                                   \
  LIMITED_BODY(result, name, arguments, fd, limit, gave_up)
#define LIMITED_CALL_OF_LIBC(result, name, parameters, arguments, fd, limit, gave_up)              \
  HEDDLE_NEW_INTERCEPTOR(result, name, parameters, arguments)                                      \
  LIMITED_BODY(result, name, arguments, fd, limit, gave_up)

// Of those that never wait, and are no cancellation points.
#define SHORT_CALL(result, name, parameters, arguments, fd)                                        \
  extern "C" result __interceptor_##name parameters;                                               \
  HEDDLE_WEAK_FUNCTION(result, name, parameters) {                                                 \
    if (LIKELY(!schedule_controlled))                                                              \
      return __interceptor_##name arguments;                                                       \
    HEDDLE_CONTROLLED_OR(name, return __interceptor_##name arguments);                             \
    return Operate(thr, pc, fd, [&] { return __interceptor_##name arguments; });                   \
  }
#define SHORT_CALL_OF_LIBC(result, name, parameters, arguments, fd)                                \
  HEDDLE_CHAIN_TO_LIBC(result, name, parameters, arguments)                                        \
  SHORT_CALL(result, name, parameters, arguments, fd)

#endif // HEDDLE_RTL_SYSTEM_CALLS_H
