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
// The child goes on under the schedule with its one thread. If the parent had more,
// upstream turns its child into one that ignores everything. That is for the sake of
// locks which other threads held, and which nobody will release: here to wait for
// such a lock is a deadlock, and reported. So calls count again; accesses to
// memory are not looked at, and races are not reported.
//
// posix_spawn, system and exec leave the process behind, and pass. vfork is fork.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_control.h"
#include "heddle/rtl/heddle_sync.h"
#include "tsan_interceptors.h"
#include "tsan_rtl.h"

#include <pthread.h>

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
  ThreadState *thr = cur_thread();
  if (ctx->after_multithreaded_fork && !forked_among_threads && thr->heddle.Controlled()) {
    forked_among_threads = true;
    thr->ignore_interceptors--;
    ThreadIgnoreSyncEnd(thr);
  }
  AfterFork(thr, /*child=*/true);
}

} // namespace

void InstallForkHandlers() { pthread_atfork(Prepare, InParent, InChild); }

} // namespace __heddle
