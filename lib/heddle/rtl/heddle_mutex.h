//===-- heddle_mutex.h - The mutexes of condition variables -------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_RTL_MUTEX_H
#define HEDDLE_RTL_MUTEX_H

#include "heddle/rtl/heddle_control.h"

namespace __heddle {

// pthread_mutex_lock and pthread_mutex_unlock of a controlled thread; unlocking is
// part of another operation.
int LockControlled(__tsan::ThreadState *thr, uptr pc, void *mutex);
int UnlockControlled(__tsan::ThreadState *thr, uptr pc, VisibleOperation &visible, void *mutex);

} // namespace __heddle

#endif // HEDDLE_RTL_MUTEX_H
