//===-- heddle_children.h - Waiting for members of a group ----------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Who waits for a child that is in the same schedule (docs/processes.md) waits in the schedule
// until the child has left it. The system then has no more to do than to end the child: that is
// waited for before the call is made, also by a call that would not wait. So what it returns is the
// schedule's to say. Other children, and groups of children, are waited for in the kernel.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_CHILDREN_H
#define HEDDLE_RTL_CHILDREN_H

#include "heddle/choice/types.h"
#include "sanitizer_common/sanitizer_internal_defs.h"

namespace __tsan {
struct ThreadState;
}

namespace __heddle {

enum class ChildWait : u8 {
  kUnknown,     // the call may have to wait
  kOver,        // it will not
  kInterrupted, // a signal has been handled: EINTR
};
// `process` and `options` are those of waitpid.
ChildWait AwaitChild(__tsan::ThreadState *thr, uptr pc, int process, int options);
// The call has returned it.
void ChildIsWaitedFor(int process);

} // namespace __heddle

#endif // HEDDLE_RTL_CHILDREN_H
