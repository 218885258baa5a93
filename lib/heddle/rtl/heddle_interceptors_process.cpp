//===-- heddle_interceptors_process.cpp - Numbers of processes ------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that return the number of a process or a thread, or are given one, and do nothing else
// that concerns us. In an execution of a fork server they are translated (heddle_process_ids.h). No
// thread can notice that another has called one: they are not operations.
//
// kill and sigqueue are in heddle_interceptors_signal.cpp, wait* in
// heddle_interceptors_blocking.cpp.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_process_ids.h"

#include <sys/resource.h>
#include <time.h>

using namespace __sanitizer;
using namespace __heddle;

// `translated` are the arguments as the kernel is to have them, `program` makes of the result what
// the program is to have.
#define PROCESS_CALL(result, name, parameters, arguments, translated, program)                     \
  HEDDLE_NEW_INTERCEPTOR(result, name, parameters, arguments) {                                    \
    return program(__interceptor_##name translated);                                               \
  }
#define PROCESS_CALL_OF_UPSTREAM(result, name, parameters, translated)                             \
  extern "C" result __interceptor_##name parameters;                                               \
  HEDDLE_WEAK_FUNCTION(result, name, parameters) { return __interceptor_##name translated; }

// clang-format off
PROCESS_CALL(int, getpid, (), (), (), ToProgram)
PROCESS_CALL(int, getppid, (), (), (), ParentToProgram)
PROCESS_CALL(int, gettid, (), (), (), ToProgram)
PROCESS_CALL(int, getpgrp, (), (), (), ToProgram)
PROCESS_CALL(int, getpgid, (int process), (process), (ToKernel(process)), ToProgram)
PROCESS_CALL(int, getsid, (int process), (process), (ToKernel(process)), ToProgram)
PROCESS_CALL(int, tcgetpgrp, (int fd), (fd), (fd), ToProgram)
PROCESS_CALL(int, tcsetpgrp, (int fd, int group), (fd, group), (fd, ToKernel(group)), )
PROCESS_CALL(int, setpgid, (int process, int group), (process, group), (ToKernel(process), ToKernel(group)), )
PROCESS_CALL(int, setsid, (), (), (), ToProgram)
PROCESS_CALL(int, killpg, (int group, int signal), (group, signal), (ToKernel(group), signal), )
PROCESS_CALL(int, tgkill, (int process, int thread, int signal), (process, thread, signal), (ToKernel(process), ToKernel(thread), signal), )
PROCESS_CALL(int, pidfd_open, (int process, u32 flags), (process, flags), (ToKernel(process), flags), )
PROCESS_CALL(int, sched_getscheduler, (int process), (process), (ToKernel(process)), )
PROCESS_CALL(int, sched_setscheduler, (int process, int policy, const void *parameter), (process, policy, parameter), (ToKernel(process), policy, parameter), )
PROCESS_CALL(int, sched_setparam, (int process, const void *parameter), (process, parameter), (ToKernel(process), parameter), )
PROCESS_CALL(int, sched_setaffinity, (int process, uptr size, const void *set), (process, size, set), (ToKernel(process), size, set), )
PROCESS_CALL(int, sched_rr_get_interval, (int process, timespec *interval), (process, interval), (ToKernel(process), interval), )
PROCESS_CALL(int, getpriority, (int which, u32 who), (which, who), (which, which == PRIO_USER ? who : u32(ToKernel(int(who)))), )
PROCESS_CALL(int, setpriority, (int which, u32 who, int value), (which, who, value), (which, which == PRIO_USER ? who : u32(ToKernel(int(who))), value), )
PROCESS_CALL(int, prlimit, (int process, int resource, const void *limit, void *old), (process, resource, limit, old), (ToKernel(process), resource, limit, old), )
PROCESS_CALL(int, prlimit64, (int process, int resource, const void *limit, void *old), (process, resource, limit, old), (ToKernel(process), resource, limit, old), )
PROCESS_CALL_OF_UPSTREAM(int, sched_getparam, (int process, void *parameter), (ToKernel(process), parameter))
PROCESS_CALL_OF_UPSTREAM(int, sched_getaffinity, (int process, uptr size, void *set), (ToKernel(process), size, set))
// clang-format on
