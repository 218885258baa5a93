//===-- heddle_left_behind.h - What executions leave behind ---------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An execution of a fork server may start processes that outlive it. They would be there in the
// next one, hold on to its files and ports, and pile up. Those in its process group are ended with
// it, and so are those that have left it: the server is their parent when they have no other.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_LEFT_BEHIND_H
#define HEDDLE_RTL_LEFT_BEHIND_H

namespace __heddle {

// Whether there are any, also ended ones that have not been waited for.
bool HasChildren();
// In the server, which has no children of its own, before its first execution.
void AdoptLeftBehind();
// In an execution: it leads a process group, as a program does that heddle starts by itself.
void LeadGroup();
// In the server, when this execution has ended: before it is waited for, while its number is its
// own, and after that.
void EndGroup(int execution);
void EndLeftBehind();

} // namespace __heddle

#endif // HEDDLE_RTL_LEFT_BEHIND_H
