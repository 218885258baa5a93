//===-- heddle_interceptors_system.cpp - What the system says -------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that upstream does not intercept, and that are intercepted only since what they
// return is input (heddle_inputs.inc). No thread can notice that another has called one: they are
// not operations.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_interceptors.h"

#include <signal.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

using namespace __sanitizer;

#define PLAIN_CALL(result, name, parameters, arguments)                                            \
  HEDDLE_NEW_INTERCEPTOR(result, name, parameters, arguments) {                                    \
    return __interceptor_##name arguments;                                                         \
  }

// clang-format off

// The user and the machine.
PLAIN_CALL(u32, getuid, (), ())
PLAIN_CALL(u32, geteuid, (), ())
PLAIN_CALL(u32, getgid, (), ())
PLAIN_CALL(u32, getegid, (), ())
PLAIN_CALL(int, gethostname, (char *name, uptr size), (name, size))
PLAIN_CALL(int, getdomainname, (char *name, uptr size), (name, size))
PLAIN_CALL(int, sched_getcpu, (), ())
PLAIN_CALL(int, get_nprocs, (), ())
PLAIN_CALL(int, get_nprocs_conf, (), ())
PLAIN_CALL(long, sysconf, (int name), (name))

// Time.
PLAIN_CALL(clock_t, clock, (), ())
PLAIN_CALL(int, getrusage, (int who, rusage *usage), (who, usage))
PLAIN_CALL(int, timer_gettime, (timer_t timer, itimerspec *value), (timer, value))
PLAIN_CALL(int, timer_getoverrun, (timer_t timer), (timer))

// Descriptors.
PLAIN_CALL(off_t, lseek, (int fd, off_t offset, int from), (fd, offset, from))
PLAIN_CALL(off_t, lseek64, (int fd, off_t offset, int from), (fd, offset, from))
PLAIN_CALL(int, isatty, (int fd), (fd))
PLAIN_CALL(int, tcsetattr, (int fd, int when, const termios *attributes), (fd, when, attributes))

// Between processes. What is variable in their arguments is passed on.
PLAIN_CALL(int, msgget, (int key, int flags), (key, flags))
PLAIN_CALL(int, msgctl, (int queue, int command, msqid_ds *state), (queue, command, state))
PLAIN_CALL(int, semget, (int key, int count, int flags), (key, count, flags))
PLAIN_CALL(int, semctl, (int set, int number, int command, void *argument), (set, number, command, argument))
PLAIN_CALL(int, mq_unlink, (const char *name), (name))
PLAIN_CALL(int, mq_getattr, (int queue, void *attributes), (queue, attributes))

// Chance.
PLAIN_CALL(u32, arc4random, (), ())
PLAIN_CALL(void *, arc4random_buf, (void *data, uptr size), (data, size))
PLAIN_CALL(u32, arc4random_uniform, (u32 limit), (limit))
PLAIN_CALL(u32, _ZNSt13random_device9_M_getvalEv, (void *device), (device))
// clang-format on

void __heddle::FindRealsForRuntime() {
  __interceptor_sysconf(_SC_PAGESIZE);
  __interceptor_isatty(-1);
  __interceptor_getuid();
}
