//===-- heddle_waiting_report.cpp - What a program still waits for --------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that waits for something outside may wait for ever, and neither that nor an endless
// loop is a deadlock. With report_waiting_after=SECONDS a program that still runs after so long
// says once what each of its threads waits for, and goes on.
//
// All threads may be in the kernel then, so the background thread sees to it. It prints itself if
// the turn is free: it has the turn meanwhile, and no thread moves. Otherwise it asks whoever has
// the turn, who prints before the next choice. A thread that has the turn and comes to no operation
// prints nothing: that it does not is what there is to say, and its stack is read while it runs.
//
// In a replay nothing is said. It stops by itself when it stands still, and says where.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_control_start.h"
#include "heddle/rtl/heddle_demo.h"
#include "heddle/rtl/heddle_fork_server.h"
#include "heddle/rtl/heddle_input.h"
#include "heddle/rtl/heddle_sync.h"
#include "heddle/rtl/heddle_time.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "tsan_flags.h"
#include "tsan_rtl.h"

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {
namespace {

// On the system's clock; 0: there is nothing more to say.
u64 due;

} // namespace

void StartWaitingReport() {
  const int seconds = flags()->report_waiting_after;
  if (seconds <= 0)
    return;
  due = MonotonicNanoTime() + u64(seconds) * kSecond;
  // It starts with the first thread otherwise. A fork server may have no threads, and executions
  // start it again. In a recording its stack would be where the replay has another.
  if (!fork_server && demo_mode == DemoMode::kOff)
    MaybeSpawnBackgroundThread();
}

static void ReportIfDue() {
  if (!due || !schedule_controlled || Playing() || MonotonicNanoTime() < due)
    return;
  due = 0;
  ScopedGlobalProcessor processor; // the background thread has none to allocate with
  control->ReportWaiting();
}

// The caller has the turn.
void Control::PrintWaiting() {
  char head[128];
  internal_snprintf(
      head, sizeof(head),
      "ThreadSanitizer: the program still runs after %d seconds (pid=%d). Its threads:\n",
      flags()->report_waiting_after, int(internal_getpid()));
  PrintThreads(*this, head);
}

void Control::ReportWaiting() {
  constexpr int kAttempts = 20, kPause = 50; // milliseconds
  atomic_store(&report_wanted_, 1, memory_order_release);
  atomic_fetch_add(&requests_count_, 1, memory_order_seq_cst);
  for (int attempt = 0; attempt < kAttempts; attempt++) {
    if (turn_.TakeFree(Decider()))
      Decide(last_);
    if (!atomic_load(&report_wanted_, memory_order_acquire))
      return;
    internal_usleep(kPause * 1000);
  }
  if (!TakeReportRequest())
    return;
  ThreadId busy = Awaited();
  if (busy == kNoThread)
    busy = turn_.Holder();
  if (busy < Threads())
    PrintBusyThread(*this, busy, flags()->report_waiting_after);
}

bool Control::TakeReportRequest() {
  if (LIKELY(!atomic_load_relaxed(&report_wanted_)) ||
      !atomic_exchange(&report_wanted_, 0, memory_order_acq_rel))
    return false;
  atomic_fetch_sub(&requests_count_, 1, memory_order_seq_cst);
  return true;
}

void WorkInBackground() {
  KeepRecording();
  ReportIfDue();
}

} // namespace __heddle
