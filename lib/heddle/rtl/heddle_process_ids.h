//===-- heddle_process_ids.h - What processes are called ------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program may know a process by another number than the kernel does:
//
//   in a replay   by that of the recording: itself and its children. What calls return is in the
//                 demo; heddle_inputs.inc translates what they are given.
//   in an execution of a fork server   by the server's, which the program may have asked for
//                 before its first thread: itself, its main thread and its process group. The
//                 interceptors translate what calls are given and what they return.
//
// Never both: a demo does not go with a fork server. glibc knows the kernel's numbers, in its locks
// too, and calls the kernel with them (heddle_lock_owners.h).
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_PROCESS_IDS_H
#define HEDDLE_RTL_PROCESS_IDS_H

#include "heddle/choice/types.h"
#include "sanitizer_common/sanitizer_internal_defs.h"

namespace __heddle {

// The program calls a process `known`, and the kernel calls it `real`. `plays` if it plays a demo
// of its own, or this one.
void KnowProcess(int known, int real, bool plays);

// The kernel's number, or 0 if the program does not know it by another.
int FindProcess(int known);
// The same, or the number itself.
int RealProcess(int known);
bool IsThisProcess(int known);
// Its demo has the signals that it gets.
bool PlaysDemo(int known);

//===-- In executions of a fork server ------------------------------------===//

extern bool ids_differ;

// This process is the server, as far as the program can tell, and a child of the server's parent.
void BecomeServer(int server, int servers_parent);

int ToKernelImpl(int id);
int ToProgramImpl(int id);

// A process, its main thread or, if negative, its group. Numbers that mean something else (0, -1)
// stay.
ALWAYS_INLINE int ToKernel(int id) { return UNLIKELY(ids_differ) ? ToKernelImpl(id) : id; }
ALWAYS_INLINE int ToProgram(int id) { return UNLIKELY(ids_differ) ? ToProgramImpl(id) : id; }
// What getppid returns.
int ParentToProgram(int parent);

// The seam signal-comes: who has sent a signal.
void TranslateSenderImpl(void *info);
ALWAYS_INLINE void TranslateSender(void *info) {
  if (UNLIKELY(ids_differ) && info)
    TranslateSenderImpl(info);
}

// The argument of a call that fills in a siginfo_t: translates it when the call has returned.
class ReceivedInfo {
public:
  explicit ReceivedInfo(void *info) : info_(info) {}
  ~ReceivedInfo() { TranslateSender(info_); }
  operator void *() const { return info_; }

private:
  void *info_;
};

// A direct system call: translates its arguments, and afterwards its result.
void ToKernel(long number, long &first, long &second);
long ToProgram(long number, long result);

} // namespace __heddle

#endif // HEDDLE_RTL_PROCESS_IDS_H
