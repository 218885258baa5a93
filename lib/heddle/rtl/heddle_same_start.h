//===-- heddle_same_start.h - A replay begins as its recording ------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The environment and the arguments are input, too. And they lie on the main thread's
// stack, above all else: how long they are decides where everything on it is.
//
// So the program is executed anew before its first own instruction: with addresses
// that are not randomised, and in a replay with the recording's environment, arguments
// and size of stacks. Only TSAN_OPTIONS is each run's own. It comes last, and is filled
// up with spaces to a size that is the same in both. That is also how a process
// knows that it has been executed anew.
//
// A demo may come from anyone. Variables that decide what else is run or written
// (demo_environment.h) are taken from it only if they are the same here, or with
// trust_demo=1. Of any other the name is blanked and the rest left as it is, so that
// nothing moves. A demo may also go to anyone: values that look like secrets are
// recorded as so many x, and a replay has its own environment's value in their place if
// that is as long.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_SAME_START_H
#define HEDDLE_RTL_SAME_START_H

#include "heddle/demo/demo_meta.h"

namespace __heddle {

struct RuntimeMemory;

// Return if that has been done, is not wanted, or is not possible, which they say. The first is
// called before the allocator is there, if the layout is fixed.
void RestartToRecord();
// Likewise, before anything else, if there is no doubt that the program is to be recorded: flags
// have not been read.
void RestartBeforeAll();
// Returns what is wrong with META, as the rest of a sentence, or null.
const char *RestartToPlay(const MetaReader &meta);
// Says so if addresses are randomised all the same.
void CheckRestarted();

// What RestartToPlay needs, and the arguments.
void DescribeStart(MetaWriter<RuntimeMemory> &meta);

} // namespace __heddle

#endif // HEDDLE_RTL_SAME_START_H
