//===-- heddle_signal_stacks.h - Where deadly signals are handled ---------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread whose stack has overflowed has no room for the handler that reports it. Upstream gives
// the main thread an alternate stack for it, unless use_sigaltstack=0. Here every thread of the
// program has one if the main thread has, of the same size, from its beginning to its end.
//
// The program does not see it, in no thread: sigaltstack says that there is none until the program
// has set one, which then takes the place of ours. Ours comes back when the program takes its own
// away.
//
// Two differences are left. A handler of the program's with SA_ONSTACK, in a thread without a stack
// of the program's, runs on ours, as it does in upstream's main thread. While it does, the kernel
// refuses to change the stack.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_SIGNAL_STACKS_H
#define HEDDLE_RTL_SIGNAL_STACKS_H

namespace __heddle {

// The main thread has got upstream's, or none.
void AdoptSignalStack();

// By the thread itself. The first does nothing before the main thread's is adopted.
void GiveSignalStack();
void ReleaseSignalStack();

// For a thread that is used again: what the program has set is forgotten. The thread has lost all
// its thread-local variables since it asked for its own stack.
void *OwnSignalStack();
void ResetSignalStack(void *own_stack);

} // namespace __heddle

#endif // HEDDLE_RTL_SIGNAL_STACKS_H
