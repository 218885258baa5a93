//===-- heddle_layout.h - The same addresses each time --------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program may depend on the addresses of its objects: it sorts by them, or hashes them.
// So a replay gives it those of the recording (docs/record-replay.md):
//
//   program, libraries,   the system does not randomise them: heddle_same_start.h
//   main thread's stack
//   heap                  each thread has an arena: heddle_arenas.cpp
//   mappings, stacks of   the system chooses them by what is mapped already, and the
//   threads               calls are visible operations
//   the runtime's own     apart from all of those: when it needs memory, and how much,
//                         is not the same in a recording and a replay
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_LAYOUT_H
#define HEDDLE_RTL_LAYOUT_H

#include "heddle/choice/types.h"

namespace __tsan {
struct ThreadState;
}

namespace __heddle {

// Whether addresses are to be the same in a replay.
bool LayoutIsFixed();

// Before the first thread has a heap.
void PrepareLayout();

// The thread that has the turn gives free memory to others, or takes what they have
// given.
void ExchangeMemory(__tsan::ThreadState *thr);
// It ends, and has the turn.
void GiveMemory(__tsan::ThreadState *thr);

// A detached thread has ended in the schedule, or one that has ended is detached: libc is yet to
// take back its stack. With the turn, like the next.
void StackIsLeft(u32 os_id);
// Before anything that takes a stack, gives one back, or maps: libc has taken back all that
// were left.
void AwaitStacks();

} // namespace __heddle

#endif // HEDDLE_RTL_LAYOUT_H
