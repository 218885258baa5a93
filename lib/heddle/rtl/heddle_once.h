//===-- heddle_once.h - Initialisation that happens once ----------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_RTL_ONCE_H
#define HEDDLE_RTL_ONCE_H

#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_process_ids.h"
#include "heddle/rtl/heddle_timestamps.h"

namespace __heddle {

// Upstream's values of a guard: of a static object, or of pthread_once.
struct GuardValues {
  u32 initial, done, running;
};

// Seam guard-acquire, for a controlled thread: 1 if it is to perform the
// initialisation, 0 when that is done.
int AcquireGuard(__tsan::ThreadState *thr, uptr pc, __sanitizer::atomic_uint32_t *guard,
                 const GuardValues &values);

} // namespace __heddle

// heddle_unwind.c: calls `function`. If it does not return, but is unwound by an
// exception, by pthread_exit or by a cancellation, calls `unwound(argument)`.
extern "C" void heddle_call(void (*function)(), void (*unwound)(void *), void *argument);

#endif // HEDDLE_RTL_ONCE_H
