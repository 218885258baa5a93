//===-- heddle_control_threads.cpp - The life of threads ------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads from their creation to their end, their handles, and which of them a fork
// and the end of the process leave.
//
// A thread that is not in the schedule yet, or not any more, takes no signal: its handler would run
// where no operation is, and no demo could say when. The kernel gives a signal to the process to
// any thread that has not blocked it, and most of all to one that has just been created: so a
// thread is created with signals blocked, and blocks them when it is about to end.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_armed_timers.h"
#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_execution.h"
#include "heddle/rtl/heddle_layout.h"
#include "heddle/rtl/heddle_process_order.h"
#include "heddle/rtl/heddle_recorded_children.h"
#include "heddle/rtl/heddle_shared_memory.h"
#include "heddle/rtl/heddle_statistics.h"
#include "heddle/rtl/heddle_sync.h"
#include "heddle/rtl/heddle_weak_memory.h"
#include "heddle/rtl/heddle_workers.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_linux.h"

#include <signal.h>

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {

void Control::Begin(ThreadState *main) {
  ControlledThread *thread = Add();
  thread->thr = thread->own = main;
  thread->os_id = GetTid();
  OpenThreadStatus(thread);
  main->heddle.SetControlled(thread);
  turn_.Give(thread->id);
}

void Control::BeforeNewThread() {
  if (LIKELY(has_had_threads_))
    return;
  has_had_threads_ = true;
  BeginStatistics();
  ticks_before_ = scheduler_.Ticks();
  communications_before_ = scheduler_.Communications();
  strategy_.Replace(in_use_.kind, in_use_.options);
  BeginStrategy(strategy_.Get());
  scheduler_.GoOnWith(strategy_.Get());
}

void Control::BeginStrategy(Strategy<ScheduleMemory> &strategy) {
  chooser_.GoOnWith(strategy, seed(), in_use_.read_policy);
  first_come_ = options_.first_come && strategy.FirstCome();
  needs_next_ = !replays_ && strategy.NeedsNext();
}

void Control::PrepareExecutions() {
  // More threads than most tests have. The runtime's allocator touches a quarter of a megabyte the
  // first time that it is asked for a size.
  constexpr u32 kThreads = 16;
  scheduler_.Expect(kThreads);
}

void Control::BeginExecution(const StrategyInUse &strategy) {
  in_use_ = strategy;
  IsNewProcess(At(0));
}

void Control::Adopt(ThreadState *thr) {
  if (threads_.Empty())
    return Begin(thr);
  ControlledThread *thread = threads_[0];
  thread->thr = thread->own = thr;
  IsNewProcess(thread);
  thr->heddle.SetControlled(thread);
  turn_.Give(thread->id);
}

void Control::Dismiss(ThreadState *thr) {
  CloseThreadStatus(threads_[0]);
  threads_[0]->thr = threads_[0]->own = nullptr;
  threads_[0]->inside = false;
  thr->heddle.Dismiss();
}

void Control::BeginAnew(const StrategyInUse &strategy, Chooser *chooser,
                        Strategy<ScheduleMemory> *told) {
  in_use_ = strategy;
  if (!has_had_threads_)
    BeginStatistics();
  has_had_threads_ = true;
  ticks_before_ = communications_before_ = 0;
  strategy_.Replace(in_use_.kind, in_use_.options);
  Strategy<ScheduleMemory> &next = told ? *told : strategy_.Get();
  {
    SpinMutexLock lock(&mutex_);
    for (u32 i = 1; i < threads_.Size(); i++)
      spare_.Push(threads_[i]);
    threads_.Truncate(1);
  }
  threads_[0]->volatile_reads = 0;
  idle_since_ = 0;
  BeginStrategy(next);
  scheduler_.BeginAnew(next);
  choices_.AnswerFrom(chooser ? *chooser : chooser_);
}

void Control::IsNewProcess(ControlledThread *thread) {
  thread->os_id = GetTid();
  CloseThreadStatus(thread);
  OpenThreadStatus(thread);
}

ControlledThread *Control::Add(MemberId member) {
  ControlledThread *thread;
  if (spare_.Empty()) {
    thread = static_cast<ControlledThread *>(ScheduleMemory::Alloc(sizeof(ControlledThread)));
  } else {
    thread = spare_.Back();
    spare_.Pop();
  }
  internal_memset(thread, 0, sizeof(*thread));
  ThreadId id = scheduler_.Create();
  thread->id = id;
  thread->member = member;
  if (UNLIKELY(processes_together)) {
    thread->seat.Share();
    MemberAt(member).live++;
  }
  thread->status_file = -1;
  thread->time = scheduler_.Now();
  if (Recording())
    thread->outside = NewOutsideSignals();
  SpinMutexLock lock(&mutex_);
  threads_.Push(thread);
  return thread;
}

ControlledThread *Control::At(ThreadId id) {
  SpinMutexLock lock(&mutex_);
  return threads_[id];
}

ControlledThread *NewThread(ThreadState *creator, VisibleOperation &visible) {
  if (!visible.controlled())
    return nullptr;
  control->BeforeNewThread();
  ControlledThread *thread = control->Add();
  if (UNLIKELY(writes_execution))
    DescribeChild(thread->id);
  if (weak_memory)
    thread->weak = NewWeakThread(creator);
  return thread;
}

void DiscardThread(ControlledThread *thread) {
  control->scheduler().Finish(thread->id);
  thread->ended = true;
  if (UNLIKELY(processes_together))
    MemberAt(thread->member).live--;
  if (thread->weak)
    DiscardWeakThread(thread->weak);
}

void ThreadBegins(ThreadState *thr, ControlledThread *thread, __sanitizer_sigset_t &signals) {
  thread->thr = thread->own = thr;
  thread->os_id = GetTid();
  thr->heddle.SetControlled(thread);
  VisibleOperation visible(thr, 0, OperationKind::kThreadStart, nullptr);
  OpenThreadStatus(thread);
  if (thread->weak)
    WeakThreadBegins(thr, thread->weak);
  thread->weak = nullptr;
  visible.End();
  internal_sigprocmask(SIG_SETMASK, &signals, nullptr);
}

static void HearAgain(ControlledThread *thread) {
  if (thread->deaf)
    internal_sigprocmask(SIG_SETMASK, &thread->signals, nullptr);
  thread->deaf = false;
}

void ThreadIsAboutToEnd(ThreadState *thr) {
  ControlledThread *thread = thr->heddle.Controlled();
  // It may have been cancelled within an operation, by a thread out of our control.
  if (!thread || thread->inside)
    return;
  for (;;) {
    control->WaitWithoutSignals(thread, {OperationKind::kThreadExit, uptr(thread->id) + 1});
    BlockSignals(&thread->signals);
    thread->deaf = true;
    if (LIKELY(!HasFromOutside(thread)))
      return;
    // One has come just before.
    HearAgain(thread);
    thread->productive = false;
    control->Finish(thread);
  }
}

bool ThreadEnds(ThreadState *thr) {
  ControlledThread *thread = thr->heddle.Controlled();
  if (!thread)
    return true;
  ThreadIsAboutToEnd(thr);
  if ((LIKELY(!processes_together) ? control->scheduler().Live() : ThisMember().live) == 1) {
    control->Tick(thread);
    HearAgain(thread);
    return false;
  }
  if (thread->detached) {
    thread->handle = 0;
    StackIsLeft(thread->os_id);
  }
  GiveMemory(thr);
  control->scheduler().Finish(thread->id);
  thread->ended = true;
  control->scheduler().WakeWaitersOf(thread->id);
  if (UNLIKELY(processes_together))
    ThisMember().live--;
  CloseThreadStatus(thread);
  if (WeakThread *weak = thr->heddle.Weak())
    WeakThreadEnds(weak);
  thr->heddle.SetControlled(nullptr);
  thread->thr = thread->own = nullptr;
  control->Tick(thread);
  return true;
}

void Await(ThreadState *thr, const ControlledThread *awaited) {
  WeakThread *waiter = thr->heddle.Weak();
  if (!waiter)
    return;
  WeakThread *weak = nullptr;
  if (awaited)
    weak = awaited->weak ? awaited->weak : awaited->own ? awaited->own->heddle.Weak() : nullptr;
  WeakThreadAwaits(waiter, weak);
}

ControlledThread *FindThread(uptr handle) {
  for (u32 i = control->Threads(); i-- > 0;)
    if (control->At(i)->handle == handle && IsOurs(control->At(i)))
      return control->At(i);
  return nullptr;
}
void SetHandle(ControlledThread *thread, uptr handle, bool detached) {
  thread->handle = handle;
  thread->detached = detached;
}
void ForgetHandle(ControlledThread *thread) { thread->handle = 0; }
void SetDetached(ControlledThread *thread) {
  thread->detached = true;
  if (!thread->ended)
    return;
  thread->handle = 0;
  StackIsLeft(thread->os_id);
}
bool IsDetached(const ControlledThread *thread) { return thread->detached; }
ThreadId IdOf(const ControlledThread *thread) { return thread->id; }
bool HasEnded(const ControlledThread *thread) { return thread->ended; }

//===-- Forks -------------------------------------------------------------===//

// Who is not controlled at this moment may ask for a turn all the same.
// Whether it is for something that is in memory.
static bool IsObject(WaitKind kind) {
  switch (kind) {
  case WaitKind::kMutex:
  case WaitKind::kRwLock:
  case WaitKind::kSpinLock:
  case WaitKind::kCondition:
  case WaitKind::kSemaphore:
  case WaitKind::kBarrier:
  case WaitKind::kFutex:
    return true;
  case WaitKind::kNothing:
  case WaitKind::kOnce:
  case WaitKind::kThread:
  case WaitKind::kTime:
  case WaitKind::kProcess:
    return false;
  }
}

void Control::BeforeFork() SANITIZER_NO_THREAD_SAFETY_ANALYSIS {
  FlushTrace();
  if (LIKELY(!processes_together))
    mutex_.Lock();
}

void Control::AfterFork(ControlledThread *thread, bool child) SANITIZER_NO_THREAD_SAFETY_ANALYSIS {
  if (LIKELY(!processes_together))
    mutex_.Unlock();
  if (!child)
    return WakeWaitersOnShared();
  ForgetTimers();
  AbandonExecution();
  ForgetWorkers();
  if (UNLIKELY(processes_together))
    return;
  AbandonTrace();
  if (thread->outside)
    ForgetOutsideSignals(thread->outside); // a child has none pending
  BeginChildsDemo(thread);
  scheduler_.KeepOnly(thread->id);
  IsNewProcess(thread);
  requests_ = arrivals_ = nullptr;
  arrivals_end_ = &arrivals_;
  atomic_store_relaxed(&requests_count_, 0);
  atomic_store_relaxed(&report_wanted_, 0);
  gathering_ = false;
  thread->posted = nullptr;
  for (u32 i = 0; i < Threads(); i++)
    if (threads_[i] != thread)
      threads_[i]->ended = true;
  // It is the parent's threads that hold what both have.
  if (OthersMayEndLoop())
    scheduler_.LetGoIf([](uptr object) { return IsAway(reinterpret_cast<void *>(object)); });
}

// A child may change what the parent's threads wait for in the schedule: they go on, to wait for it
// in the kernel.
void Control::WakeWaitersOnShared() {
  const auto &blocked = scheduler_.Blocked();
  if (blocked.Empty() || !OthersMayEndLoop())
    return; // there is nothing of that kind
  for (u32 i = 0; i < blocked.Size();) {
    const WaitFor &wait = scheduler_.WaitOf(blocked[i]);
    if (!IsObject(wait.kind) || !IsAway(reinterpret_cast<void *>(wait.object)) ||
        !scheduler_.Interrupt(blocked[i]))
      i++;
  }
}

// The main thread of the process that is about to be forked. In memory that the fork copies: the
// parent's record of the thread that forks may be another one soon.
static ControlledThread *being_forked;

static void AddForked(ControlledThread *parent) {
  control->BeforeNewThread();
  being_forked = parent->forked = control->Add(AddMember(this_member));
  being_forked->own = parent->own;
  being_forked->handle = parent->handle;
  being_forked->detached = parent->detached;
}

// The child is a thread of its own in the schedule from here on. Returns whether this is all.
static bool BeginForked(ThreadState *thr, bool child) {
  ControlledThread *thread = being_forked;
  being_forked = nullptr;
  if (!child || !thread)
    return false;
  this_member = thread->member;
  thread->thr = thr;
  thread->os_id = GetTid();
  thr->heddle.SetControlled(thread);
  control->AfterFork(thread, /*child=*/true);
  atomic_store(&ThisMember().process, u32(internal_getpid()), memory_order_release);
  VisibleOperation visible(thr, 0, OperationKind::kThreadStart, nullptr);
  return true;
}

void BeforeFork(ThreadState *thr) {
  ControlledThread *thread = thr->heddle.Controlled();
  if (!thread || thread->inside)
    return;
  control->Wait(thread, {OperationKind::kFork, 0}, 0);
  ExpectChild(thread);
  OrderBeforeFork();
  if (UNLIKELY(processes_together))
    AddForked(thread);
  control->BeforeFork();
}

void AfterFork(ThreadState *thr, bool child) {
  HasRelatives();
  if (UNLIKELY(processes_together) && BeginForked(thr, child))
    return;
  ControlledThread *thread = thr->heddle.Controlled();
  if (!thread || thread->operation.kind != OperationKind::kFork) {
    // A thread out of our control forks, or one does behind our back, and takes no other with it.
    if (child) {
      schedule_controlled = false;
      LeaveOrder();
      AbandonDemo();
    }
    return;
  }
  control->AfterFork(thread, child);
  control->Tick(thread);
}

// Also of the runtime's own, in the middle of a fork of the program's. The schedule of several
// processes is not its to touch.
void ForkedByCall(ThreadState *thr) {
  being_forked = nullptr;
  if (UNLIKELY(processes_together))
    schedule_controlled = false;
  else
    AfterFork(thr, /*child=*/true);
}

void NotForked(ThreadState *thr) {
  if (ControlledThread *thread = thr->heddle.Controlled())
    atomic_store_relaxed(&MemberAt(thread->forked->member).not_forked, 1);
}

void BeforeExec(ThreadState *thr) {
  ControlledThread *thread = thr->heddle.Controlled();
  if (!thread || thread->inside)
    return;
  control->Wait(thread, {OperationKind::kExec, 0}, 0);
  FlushTrace();
  if (UNLIKELY(processes_together)) {
    schedule_controlled = false;
    control->LeaveGroup(/*for_another_program=*/true);
    return;
  }
  EndDemoToExecute();
}

void AfterExec(ThreadState *thr) {
  ControlledThread *thread = thr->heddle.Controlled();
  if (!schedule_controlled || !thread || !thread->inside ||
      thread->operation.kind != OperationKind::kExec)
    return;
  GoOnWithDemo();
  thread->productive = false;
  control->Finish(thread);
}

void StartsOther() {
  if (UNLIKELY(processes_together))
    ThisMember().starts_others = true;
}

//===-- The end of the process --------------------------------------------===//

void Control::Stop(ThreadState *thr) {
  ControlledThread *thread = thr->heddle.Controlled();
  if (thread && !thread->inside)
    Wait(thread, {}, 0);
}

void TakeTurnForGood(ThreadState *thr) {
  ControlledThread *thread = thr->heddle.Controlled();
  if (thread && !thread->inside)
    control->Wait(thread, {OperationKind::kExit, 0}, 0);
}

} // namespace __heddle
