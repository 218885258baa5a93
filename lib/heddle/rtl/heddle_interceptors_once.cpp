//===-- heddle_interceptors_once.cpp - Initialisation that happens once -===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// pthread_once and the guards of static objects. Who performs the initialisation is
// decided in an operation; the initialisation itself is the program's, and runs
// outside of any. The C++ ABI's functions are upstream's, with seams.
//
// If the initialisation ends with an exception it has not happened, and another
// thread performs it. Upstream leaves those who wait waiting in pthread_once, and
// with it in std::call_once.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_once.h"

#include <errno.h>

using namespace __sanitizer;
using namespace __tsan;
using namespace __heddle;

namespace {

// As in upstream's pthread_once, which threads that are not controlled call.
constexpr GuardValues kOnceValues = {0, 1, 1 << 16};
constexpr u32 kHasWaiters = 1 << 17;

void ReleaseOnce(ThreadState *thr, uptr pc, atomic_uint32_t *once, u32 value) {
  VisibleOperation visible(thr, pc, OperationKind::kOnce, once);
  Release(thr, pc, reinterpret_cast<uptr>(once));
  u32 before = atomic_exchange(once, value, memory_order_release);
  visible.LetGo(once);
  visible.WakeAll(WaitKind::kOnce, once);
  if (before & kHasWaiters) // which are not controlled
    FutexWake(once, 1 << 30);
}

struct OnceCall {
  ThreadState *thr;
  uptr pc;
  atomic_uint32_t *once;
  ScopedInterceptor *si;
};

void OnceUnwound(void *argument) {
  auto *call = static_cast<OnceCall *>(argument);
  ReleaseOnce(call->thr, call->pc, call->once, kOnceValues.initial);
  call->si->~ScopedInterceptor(); // its frame is about to be left
}

} // namespace

namespace __heddle {

int AcquireGuard(ThreadState *thr, uptr pc, atomic_uint32_t *guard, const GuardValues &values) {
  for (;;) {
    VisibleOperation visible(thr, pc, OperationKind::kOnce, guard);
    Outcome outcome = Outcome::kWoken;
    while (outcome != Outcome::kInterrupted) {
      u32 value = values.initial;
      if (atomic_compare_exchange_strong(guard, &value, values.running, memory_order_acquire)) {
        visible.Hold(guard);
        return 1;
      }
      visible.Unproductive();
      if (value == values.done) {
        Acquire(thr, pc, reinterpret_cast<uptr>(guard));
        return 0;
      }
      outcome = visible.Block({WaitKind::kOnce, reinterpret_cast<uptr>(guard)});
    }
    visible.End();
    HandleSignals(thr);
  }
}

} // namespace __heddle

HEDDLE_INTERCEPTOR(int, pthread_once, void *once, void (*function)()) {
  HEDDLE_CONTROLLED(pthread_once, once, function);
  if (!once || !function)
    return EINVAL;
  auto *guard = static_cast<atomic_uint32_t *>(once);
  if (!AcquireGuard(thr, pc, guard, kOnceValues))
    return 0;
  OnceCall call = {thr, pc, guard, &si};
  heddle_call(function, OnceUnwound, &call);
  ReleaseOnce(thr, pc, guard, kOnceValues.done);
  return 0;
}
