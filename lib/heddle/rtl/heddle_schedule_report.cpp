//===-- heddle_schedule_report.cpp - Deadlocks and livelocks --------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reports in ThreadSanitizer's format of a schedule that cannot go on: every
// thread, where it is, what it waits for and who holds that. Called by the thread
// whose turn it is, so no controlled thread moves.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_execution.h"
#include "heddle/rtl/heddle_schedule_log.h"
#include "heddle/rtl/heddle_shared_memory.h"
#include "heddle/rtl/heddle_stale_reads.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_report_decorator.h"
#include "sanitizer_common/sanitizer_symbolizer.h"
#include "tsan_flags.h"
#include "tsan_rtl.h"

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {
namespace {

class Decorator : public SanitizerCommonDecorator {
public:
  const char *ThreadDescription() { return Cyan(); }
};

const char *KindOf(WaitKind kind) {
  switch (kind) {
  case WaitKind::kNothing:
    break;
  case WaitKind::kMutex:
    return "mutex";
  case WaitKind::kRwLock:
    return "read-write lock";
  case WaitKind::kSpinLock:
    return "spin lock";
  case WaitKind::kCondition:
    return "condition variable";
  case WaitKind::kSemaphore:
    return "semaphore";
  case WaitKind::kBarrier:
    return "barrier";
  case WaitKind::kOnce:
    return "one-time initialisation";
  case WaitKind::kThread:
    return "thread";
  case WaitKind::kFutex:
    return "futex or atomic wait";
  case WaitKind::kTime:
    return "time to pass";
  case WaitKind::kProcess:
    return "the end of a child";
  }
  return "nothing";
}

// T1 and so on, as in other reports.
class ThreadName {
public:
  ThreadName(Control &control, ThreadId id) {
    ControlledThread *thread = control.At(id);
    if (UNLIKELY(processes_together) && !IsOurs(thread))
      internal_snprintf(text_, sizeof(text_), "thread %u of process %u", id, ProcessOf(thread));
    else if (id == 0 ||
             (UNLIKELY(processes_together) && thread->thr && thread->thr->tid == kMainTid))
      internal_snprintf(text_, sizeof(text_), "main thread");
    else if (thread->thr)
      internal_snprintf(text_, sizeof(text_), "thread T%d", thread->thr->tid);
    else
      internal_snprintf(text_, sizeof(text_), "a thread that has ended (the %uth created)", id);
  }
  const char *Text() const { return text_; }

private:
  char text_[64];
};

void PrintObject(const WaitFor &wait) {
  const ObjectAddress address = AddressOfName(wait.object);
  const char *where = address.is_shared ? "in shared memory, at offset " : "";
  if (LIKELY(!processes_together))
    Printf("waits for %s %p", KindOf(wait.kind), reinterpret_cast<void *>(wait.object));
  else
    Printf("waits for %s %s%p", KindOf(wait.kind), where, reinterpret_cast<void *>(address.value));
}

void PrintWait(Control &control, ThreadId id) {
  RuntimeScheduler &scheduler = control.scheduler();
  const WaitFor &wait = scheduler.WaitOf(id);
  if (wait.kind == WaitKind::kThread) {
    Printf("waits for the end of %s", ThreadName(control, ThreadId(wait.object - 1)).Text());
    return;
  }
  if (wait.kind == WaitKind::kProcess) {
    Printf("waits for %s", KindOf(wait.kind));
    return;
  }
  PrintObject(wait);
  ThreadId holder = scheduler.HolderOf(wait.object);
  if (holder == kNoThread)
    return;
  if (holder == id)
    Printf(", which it holds itself");
  else
    Printf(", held by %s", ThreadName(control, holder).Text());
}

// Without `all`, the stack of one that runs is left out, since it changes.
void PrintEach(Control &control, bool all) {
  Decorator d;
  RuntimeScheduler &scheduler = control.scheduler();
  for (ThreadId id = 0; id < control.Threads(); id++) {
    ControlledThread *thread = control.At(id);
    if (scheduler.StatusOf(id) == ThreadStatus::kFinished || !thread->thr || !IsOurs(thread))
      continue;
    ThreadName name(control, id);
    Printf("%s  %s%s ", d.ThreadDescription(), name.Text()[0] == 'm' ? "Main" : "Thread",
           name.Text() + (name.Text()[0] == 'm' ? 4 : 6));
    switch (scheduler.StatusOf(id)) {
    case ThreadStatus::kBlocked:
      PrintWait(control, id);
      break;
    case ThreadStatus::kKernel:
      Printf("is in a system call");
      break;
    default:
      Printf("is at an operation of kind %s", NameOf(thread->operation.kind));
      break;
    }
    const bool stands = all || thread->thr == cur_thread() || thread->arrived ||
                        scheduler.StatusOf(id) != ThreadStatus::kEnabled;
    Printf("%s%s\n", stands ? ":" : ", or on the way to one", d.Default());
    if (stands)
      PrintCurrentStack(thread->thr, thread->pc);
  }
}

[[noreturn]] void Report(Control &control, const char *title) {
  Decorator d;
  // A signal that comes now is not handled at the end of a function that a report calls: its
  // handler would wait for a turn for ever.
  ScopedIgnoreInterceptors ignore;
  ScopedErrorReportLock lock;
  Printf("==================\n");
  Printf("%s", d.Warning());
  Printf("WARNING: ThreadSanitizer: %s (pid=%d)\n", title, int(internal_getpid()));
  Printf("%s", d.Default());
  if (UNLIKELY(writes_execution))
    WriteReport(cur_thread(), 0, title, nullptr);
  PrintEach(control, /*all=*/true);
  if (UNLIKELY(processes_together))
    control.EndOthers();
  PrintAllStaleReads();
  PrintScheduleNote();
  Printf("SUMMARY: ThreadSanitizer: %s\n", title);
  Printf("==================\n");
  FlushTrace();
  SaveScheduleLog();
  ctx->nreported++;
  Die();
}

} // namespace

static bool IsOwn(const SymbolizedStack *frame) {
  return frame->info.file && internal_strstr(frame->info.file, "/compiler-rt/lib/heddle/rtl/");
}

void StripOwnFrames(SymbolizedStack *top) {
  if (!schedule_controlled || !top)
    return;
  while (top->next && IsOwn(top->next))
    top->next = top->next->next;
  // Our interceptor calls upstream's in a lambda. A thread that is away has called it or is about
  // to: where it is must not depend on that.
  if (top->next && IsOwn(top) && top->info.function &&
      internal_strstr(top->info.function, "operator()")) {
    Swap(top->info, top->next->info);
    top->next = top->next->next;
  }
}

void PrintThreads(Control &control, const char *head) {
  ScopedIgnoreInterceptors ignore;
  ScopedErrorReportLock lock;
  Printf("%s", head);
  if (UNLIKELY(processes_together))
    Printf("  In process %d:\n", int(internal_getpid()));
  PrintEach(control, /*all=*/false);
}

void PrintBusyThread(Control &control, ThreadId id, int seconds) {
  ControlledThread *thread = control.At(id);
  if (!thread->thr || !IsOurs(thread))
    return;
  ScopedIgnoreInterceptors ignore;
  ScopedErrorReportLock lock;
  Decorator d;
  Printf(
      "ThreadSanitizer: the program still runs after %d seconds (pid=%d). The others wait for the "
      "next operation of\n",
      seconds, int(internal_getpid()));
  Printf("%s  %s:%s\n", d.ThreadDescription(), ThreadName(control, id).Text(), d.Default());
  PrintCurrentStack(thread->thr, thread->pc);
}

void ReportDeadlock(Control &control) { Report(control, "deadlock"); }

void ReportLivelock(Control &control) {
  Report(control, "livelock (no thread gets anything done)");
}

} // namespace __heddle
