//===-- operation.h - Visible operations ----------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operation is visible if another thread can notice it without the help of a
// further operation (Lidbury's thesis, 4.3). The scheduler orders those, and
// leaves all others alone.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_SCHEDULE_OPERATION_H
#define HEDDLE_SCHEDULE_OPERATION_H

#include "heddle/choice/types.h"

namespace __heddle {

using ThreadId = u32; // in the order of creation; 0 is the main thread
constexpr ThreadId kNoThread = ~0u;

// The name, and whether the operation changes its object: two operations on one
// object are in conflict if one of them does. An acquire or a release is an annotation: what
// it orders is performed by code that the runtime does not see, or has been already. So is what a
// program says of its fibers.
#define HEDDLE_OPERATIONS(OPERATION)                                                               \
  OPERATION(kNone, "none", false)                                                                  \
  OPERATION(kLoad, "load", false)                                                                  \
  OPERATION(kStore, "store", true)                                                                 \
  OPERATION(kRmw, "rmw", true)                                                                     \
  OPERATION(kFence, "fence", false)                                                                \
  OPERATION(kAcquire, "acquire", false)                                                            \
  OPERATION(kRelease, "release", true)                                                             \
  OPERATION(kThreadStart, "thread-start", false)                                                   \
  OPERATION(kThreadExit, "thread-exit", true)                                                      \
  OPERATION(kThreadCreate, "thread-create", true)                                                  \
  OPERATION(kThreadJoin, "thread-join", true)                                                      \
  OPERATION(kThreadDetach, "thread-detach", true)                                                  \
  OPERATION(kThreadCancel, "thread-cancel", true)                                                  \
  OPERATION(kLock, "lock", true)                                                                   \
  OPERATION(kTryLock, "try-lock", true)                                                            \
  OPERATION(kReadLock, "read-lock", true)                                                          \
  OPERATION(kTryReadLock, "try-read-lock", true)                                                   \
  OPERATION(kUnlock, "unlock", true)                                                               \
  OPERATION(kCondWait, "cond-wait", true)                                                          \
  OPERATION(kCondSignal, "cond-signal", true)                                                      \
  OPERATION(kCondBroadcast, "cond-broadcast", true)                                                \
  OPERATION(kSemWait, "sem-wait", true)                                                            \
  OPERATION(kSemTryWait, "sem-try-wait", true)                                                     \
  OPERATION(kSemPost, "sem-post", true)                                                            \
  OPERATION(kBarrier, "barrier", true)                                                             \
  OPERATION(kOnce, "once", true)                                                                   \
  OPERATION(kFutexWait, "futex-wait", true)                                                        \
  OPERATION(kFutexWake, "futex-wake", true)                                                        \
  OPERATION(kSleep, "sleep", false)                                                                \
  OPERATION(kYield, "yield", false)                                                                \
  OPERATION(kClock, "clock", false)                                                                \
  OPERATION(kBlockingCall, "blocking-call", false)                                                 \
  OPERATION(kKill, "kill", true)                                                                   \
  OPERATION(kSignalHandler, "signal-handler", true)                                                \
  OPERATION(kFork, "fork", true)                                                                   \
  OPERATION(kExit, "exit", true)                                                                   \
  OPERATION(kSystemCall, "system-call", true)                                                      \
  OPERATION(kFiber, "fiber", true)                                                                 \
  OPERATION(kExec, "exec", true)

enum class OperationKind : u8 {
#define HEDDLE_OPERATION(kind, name, writes) kind,
  HEDDLE_OPERATIONS(HEDDLE_OPERATION)
#undef HEDDLE_OPERATION
};

constexpr const char *NameOf(OperationKind kind) {
  constexpr const char *kNames[] = {
#define HEDDLE_OPERATION(kind, name, writes) name,
      HEDDLE_OPERATIONS(HEDDLE_OPERATION)
#undef HEDDLE_OPERATION
  };
  return kNames[u8(kind)];
}

constexpr bool Writes(OperationKind kind) {
  constexpr bool kWrites[] = {
#define HEDDLE_OPERATION(kind, name, writes) writes,
      HEDDLE_OPERATIONS(HEDDLE_OPERATION)
#undef HEDDLE_OPERATION
  };
  return kWrites[u8(kind)];
}

// If it changes nothing, that does not say that the thread waits: it may have made it often, in
// a loop that counts or computes. Not so with a yield, or a failed attempt at a lock.
constexpr bool IsForAnyLoop(OperationKind kind) {
  switch (kind) {
  case OperationKind::kLoad:
  case OperationKind::kStore:
  case OperationKind::kRmw:
  case OperationKind::kFence:
  case OperationKind::kAcquire:
  case OperationKind::kClock:
  case OperationKind::kOnce:
  case OperationKind::kThreadCancel:
    return true;
  default:
    return false;
  }
}

struct Operation {
  OperationKind kind = OperationKind::kNone;
  uptr object = 0; // what it is performed on: equal or not is all that counts
};

// Whether the operation may read or wait for what another thread has done.
constexpr bool Communicates(OperationKind kind) {
  switch (kind) {
  case OperationKind::kNone:
  case OperationKind::kStore:
  case OperationKind::kRelease:
  case OperationKind::kThreadStart:
  case OperationKind::kThreadExit:
  case OperationKind::kThreadCreate:
  case OperationKind::kThreadDetach:
  case OperationKind::kUnlock:
  case OperationKind::kClock:
  case OperationKind::kFiber:
  case OperationKind::kExec:
    return false;
  default:
    return true;
  }
}

constexpr bool Conflict(const Operation &a, const Operation &b) {
  return a.object == b.object && a.object != 0 && (Writes(a.kind) || Writes(b.kind));
}

} // namespace __heddle

#endif // HEDDLE_SCHEDULE_OPERATION_H
