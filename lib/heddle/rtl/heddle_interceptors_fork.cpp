//===-- heddle_interceptors_fork.cpp - fork -------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fork is an operation, so that the scheduler is in order in the child. The
// handlers that a program registers with pthread_atfork belong to the program: they
// lock what they please. So the operation begins after those that prepare, and ends
// before the others. libc calls handlers that prepare in the reverse order of
// registration, and the others in that order; ours are registered after
// upstream's, which must be next to the fork, and before the program's.
//
// With processes=together the child's thread is one more of the same schedule. Otherwise
// it goes on under a schedule with its one thread. If the parent had more,
// upstream turns its child into one that ignores everything. That is for the sake of
// locks which other threads held, and which nobody will release: here to wait for
// such a lock is a deadlock, and reported. So calls count again; accesses to
// memory are not looked at, and races are not reported.
//
// posix_spawn, system and exec leave the process behind, and pass. vfork is fork. So is
// clone, without handlers, unless the child shares the parent's memory: that one is
// left alone.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_group.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_process_order.h"
#include "heddle/rtl/heddle_statistics.h"

#include <pthread.h>
#include <sched.h>

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {
namespace {

bool forked_among_threads;

void Prepare() {
  if (!in_symbolizer())
    BeforeFork(cur_thread());
}

void InParent() {
  if (!in_symbolizer())
    AfterFork(cur_thread(), /*child=*/false);
}

void InChild() {
  if (in_symbolizer())
    return;
  LeaveStatistics();
  ThreadState *thr = cur_thread();
  if (ctx->after_multithreaded_fork && !forked_among_threads && thr->heddle.Controlled()) {
    forked_among_threads = true;
    thr->ignore_interceptors--;
    ThreadIgnoreSyncEnd(thr);
  }
  AfterFork(thr, /*child=*/true);
}

struct CloneStart {
  int (*function)(void *);
  void *argument;
};

int RunClone(void *argument) {
  const CloneStart start = *static_cast<CloneStart *>(argument);
  InChild();
  return start.function(start.argument);
}

} // namespace

void InstallForkHandlers() { pthread_atfork(Prepare, InParent, InChild); }

} // namespace __heddle

using namespace __heddle;

// Handlers of a fork are not told whether there is a child.
HEDDLE_INTERCEPTOR(int, fork, int unused) {
  const int child = __interceptor_fork(unused);
  if (UNLIKELY(processes_together) && child < 0)
    NotForked(cur_thread());
  return child;
}

HEDDLE_INTERCEPTOR(int, clone, int (*function)(void *), void *stack, int flags, void *argument,
                   int *parent_id, void *storage, int *child_id) {
  HEDDLE_CONTROLLED(clone, function, stack, flags, argument, parent_id, storage, child_id);
  if (flags & CLONE_VM)
    return __interceptor_clone(function, stack, flags, argument, parent_id, storage, child_id);
  CloneStart start = {function, argument};
  BeforeFork(thr);
  int child = __interceptor_clone(RunClone, stack, flags, &start, parent_id, storage, child_id);
  AfterFork(thr, /*child=*/false);
  OrderAfterFork(child);
  if (UNLIKELY(processes_together) && child < 0)
    NotForked(thr);
  return child;
}
