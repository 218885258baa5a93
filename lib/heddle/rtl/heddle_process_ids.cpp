//===-- heddle_process_ids.cpp - What processes are called ----------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_process_ids.h"

#include "heddle/choice/growable.h"
#include "heddle/rtl/heddle_control_impl.h"
#include "sanitizer_common/sanitizer_mutex.h"
#include "sanitizer_common/sanitizer_posix.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {

bool ids_differ;

namespace {

struct Process {
  int known, real;
  bool plays;
};

StaticSpinMutex mutex;
Growable<Process, RuntimeMemory> *processes;

// In an execution of a fork server.
Process execution;
int parent; // as the program knows it

int Translate(int id, int from, int to) { return id == from ? to : id == -from ? -to : id; }

} // namespace

void KnowProcess(int known, int real, bool plays) {
  SpinMutexLock lock(&mutex);
  if (!processes)
    processes = New<Growable<Process, RuntimeMemory>>();
  processes->Push({known, real, plays});
}

static Process Find(int known) {
  SpinMutexLock lock(&mutex);
  for (uptr i = processes ? processes->Size() : 0; i-- > 0;) // numbers come again
    if ((*processes)[i].known == known)
      return (*processes)[i];
  return {};
}

int FindProcess(int known) { return Find(known).real; }
bool PlaysDemo(int known) { return Find(known).plays; }

int RealProcess(int known) {
  const int real = known > 0 ? FindProcess(known) : 0;
  return real ? real : known;
}

bool IsThisProcess(int known) { return RealProcess(known) == int(internal_getpid()); }

//===-- In executions of a fork server ------------------------------------===//

void BecomeServer(int server, int servers_parent) {
  execution = {server, int(internal_getpid()), false};
  parent = servers_parent;
  ids_differ = true;
}

int ToKernelImpl(int id) { return Translate(id, execution.known, execution.real); }
int ToProgramImpl(int id) { return Translate(id, execution.real, execution.known); }

// The execution's own is the server; that of a child of its own may be the execution.
int ParentToProgram(int id) {
  if (!ids_differ)
    return id;
  return id == execution.known ? parent : ToProgramImpl(id);
}

void TranslateSenderImpl(void *info) {
  auto *sent = static_cast<siginfo_t *>(info);
  const bool by_process = sent->si_code == SI_USER || sent->si_code == SI_TKILL ||
                          sent->si_code == SI_QUEUE || sent->si_code == SI_MESGQ;
  if (by_process)
    sent->si_pid = ToProgramImpl(sent->si_pid);
}

void ToKernel(long number, long &first, long &second) {
  switch (number) {
  case SYS_tgkill:
  case SYS_rt_tgsigqueueinfo:
  case SYS_setpgid:
    second = ToKernelImpl(int(second));
    [[fallthrough]];
  case SYS_kill:
  case SYS_tkill:
  case SYS_rt_sigqueueinfo:
  case SYS_getpgid:
  case SYS_getsid:
  case SYS_wait4:
  case SYS_prlimit64:
  case SYS_sched_getaffinity:
  case SYS_sched_setaffinity:
  case SYS_sched_getscheduler:
  case SYS_sched_setscheduler:
  case SYS_sched_getparam:
  case SYS_sched_setparam:
  case SYS_sched_getattr:
  case SYS_sched_setattr:
  case SYS_sched_rr_get_interval:
  case SYS_process_vm_readv:
  case SYS_process_vm_writev:
#ifdef SYS_pidfd_open
  case SYS_pidfd_open:
#endif
    first = ToKernelImpl(int(first));
    break;
  case SYS_getpriority:
  case SYS_setpriority:
    if (first != PRIO_USER)
      second = ToKernelImpl(int(second));
    break;
  }
}

long ToProgram(long number, long result) {
  switch (number) {
  case SYS_getpid:
  case SYS_gettid:
#ifdef SYS_getpgrp
  case SYS_getpgrp:
#endif
  case SYS_getpgid:
  case SYS_getsid:
  case SYS_setsid:
    return result > 0 ? ToProgramImpl(int(result)) : result;
  case SYS_getppid:
    return ParentToProgram(int(result));
  }
  return result;
}

} // namespace __heddle
