//===-- heddle_timestamps.h - rdtsc as input ------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where time is logical, so is the processor's time stamp counter, if the program reads it: some
// libraries look at their clocks only when it has gone on. With record_rdtsc=1 it is the
// processor's, and input like any other. The kernel makes a fault of the instructions that read it
// (PR_SET_TSC), whose signal comes to StepOverTimestamp before anybody else sees it: it puts a
// value into the registers, and goes on behind the instruction.
//
// To read it is no operation: it may happen anywhere, with any lock held. So what a thread reads is
// the logical time at the end of its last operation, and a little more each time. It is the same in
// each run of the same seed, and in a replay. One that only reads the counter waits for time to
// pass, so the steps become longer, and the thread's next operation brings the clock to where its
// counter is.
//
// The kernel's functions for clocks that run in the program (vdso) use the same instruction, also
// where SIGSEGV is blocked, and also for the runtime: they are overwritten with the system calls
// that they save.
//
// That a thread's reads are faults is inherited: by its threads, which is as it must be, by its
// children, and by programs that they execute, whose first instructions it would kill.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_TIMESTAMPS_H
#define HEDDLE_RTL_TIMESTAMPS_H

namespace __heddle {

extern bool timestamps_are_logical;

// If the flags say so. In the first thread, before there are others.
void StartTimestamps();
bool TimestampsAreTrapped();
// For the calling thread: it is that of a child.
void EndTimestamps();

// Seams signal-comes and deadly-signal: whether the signal came from such an instruction. Then
// that is done.
bool StepOverTimestamp(int signal, const void *info, void *context);

// A handler of the program's is about to be called. Upstream has blocked all signals.
void AllowTimestamps();

// While the calling thread starts another program.
class TimestampsForOthers {
public:
  TimestampsForOthers();
  ~TimestampsForOthers();
};

} // namespace __heddle

#endif // HEDDLE_RTL_TIMESTAMPS_H
