//===-- heddle_process_order.h - Who came first, of several processes -----===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A recorded process and the children of its forks each have a demo, and in a replay none needs
// another: what one tells the other is in both. But they also meet where no demo is: in files, and
// in what a user reads of them. So their recorded calls have an order that they share. A call that
// tells others something (write, kill) has its place in it when it begins, any other when it ends,
// and one that may do either (flock) has two. What was known in the recording, since a call had
// brought it, then also is in the replay.
//
// A recording counts, in memory that the processes share, from the first fork on. In a replay each
// process says there which number comes next in its own demo, and performs a call when no other
// process has an earlier one before it. Numbers may be missing: who was killed left none of its
// last.
//
// A process waits for others only, and not for its own threads: whichever of them has the turn, the
// others have come to all calls with an earlier number, since they had in the recording.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_PROCESS_ORDER_H
#define HEDDLE_RTL_PROCESS_ORDER_H

#include "heddle/choice/types.h"

namespace __heddle {

// The numbers of a call. 0 is none.
struct CallOrder {
  u64 begin = 0, end = 0;
};

// The first process, before there are others.
void BeginOrder();

//===-- Recording ---------------------------------------------------------===//

// The next number, or 0 if there is only one process so far.
u64 TakeOrder();

//===-- In a replay -------------------------------------------------------===//

// While the demo is read, each number in it; and then, when all are known.
void ExpectOrder(u64 number);
void EnterOrder();
// Before the call that has them, and after it.
void AwaitOrder(const CallOrder &order);
void PassOrder(const CallOrder &order);
// Nothing more is to be waited for.
void LeaveOrder();

//===-- Both: forks -------------------------------------------------------===//

// Before: all others wait for the child until it has said what comes first for it.
void OrderBeforeFork();
// In the parent: what fork has returned.
void OrderAfterFork(int child);
// In the child.
void OrderInChild();

} // namespace __heddle

#endif // HEDDLE_RTL_PROCESS_ORDER_H
