//===-- heddle_control.cpp - Wait and Tick --------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The protocol is that of Lidbury's thesis, section 4.3, with one futex word per
// thread. See heddle_turn.h for how the turn passes on, and heddle_control_impl.h
// for who may touch what.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_armed_timers.h"
#include "heddle/rtl/heddle_cancel.h"
#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_execution.h"
#include "heddle/rtl/heddle_input.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_openmp.h"
#include "heddle/rtl/heddle_shared_memory.h"
#include "heddle/rtl/heddle_statistics.h"
#include "heddle/rtl/heddle_sync.h"
#include "heddle/rtl/heddle_timestamps.h"
#include "heddle/rtl/heddle_weak_memory.h"
#include "sanitizer_common/sanitizer_common.h"
#include "tsan_flags.h"
#include "tsan_interceptors.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {

bool schedule_controlled;
Control *control;

ControlledThread *ControlledOf(ThreadState *thr) { return thr->heddle.Controlled(); }

Control::Control(const StrategyInUse &strategy, const SchedulerOptions &options, int time_slice_ms,
                 Chooser *replayer, ChoiceRecorder *recorder)
    : in_use_(strategy), time_slice_ms_(time_slice_ms), replays_(replayer),
      strategy_(StrategyKind::kRandom, {}), chooser_(strategy_.Get(), /*seed=*/0),
      choices_(replayer ? *replayer : chooser_, recorder),
      scheduler_(strategy_.Get(), chooser_, choices_, options), options_(options),
      first_come_(false), needs_next_(false), one_at_a_time_(flags()->one_at_a_time),
      break_at_tick_(flags()->break_at_tick ? flags()->break_at_tick : ~0ull) {
  atomic_store_relaxed(&keeper_, kNoThread);
}

//===-- Wait and Tick -----------------------------------------------------===//

void Control::Wait(ControlledThread *thread, const Operation &operation, uptr pc) {
  thread->busy = true;
  thread->operation = operation;
  thread->pc = pc;
  thread->productive = Writes(operation.kind);
  if (UNLIKELY(one_at_a_time_) && TakeFromKeeper(thread->id))
    HandOver(thread);
  if (UNLIKELY(needs_next_ || !TryTake(thread)))
    AwaitTurn(thread);
  thread->inside = true;
  if (UNLIKELY(timestamps_are_logical))
    scheduler_.PassTo(thread->time);
  if (UNLIKELY(writes_execution))
    OperationBegins(thread);
  if (UNLIKELY(scheduler_.Ticks() == break_at_tick_))
    KernelCall(SYS_tgkill, internal_getpid(), GetTid(), SIGTRAP); // for a debugger
}

void Control::Tick(ControlledThread *thread) {
  EndOperation(thread);
  HandOver(thread);
}

void Control::TickAndGoOn(ControlledThread *thread) {
  EndOperation(thread);
  if (UNLIKELY(one_at_a_time_))
    atomic_store(&keeper_, thread->id, memory_order_release);
  else
    HandOver(thread);
}

bool Control::TakeFromKeeper(ThreadId keeper) {
  u32 expected = keeper;
  return atomic_load_relaxed(&keeper_) == keeper &&
         atomic_compare_exchange_strong(&keeper_, &expected, kNoThread, memory_order_acq_rel);
}

void Control::EndOperation(ControlledThread *thread) {
  thread->inside = false;
  if (UNLIKELY(tracing))
    TraceOperation(scheduler_.Ticks(), thread->id, thread->operation.kind);
  if (UNLIKELY(statistics))
    CountOperation(thread->id, thread->operation.kind);
  if (UNLIKELY(writes_execution))
    OperationEnds(thread, scheduler_.Ticks());
  if (UNLIKELY(demo_mode != DemoMode::kOff))
    DemoTick(thread, scheduler_.Ticks());
  scheduler_.Ran(thread->id, thread->operation, thread->productive);
  if (UNLIKELY(timestamps_are_logical)) {
    thread->time = scheduler_.Now();
    thread->timestamps = 0;
  }
  if (UNLIKELY(scheduler_.Livelocked())) {
    if (!TimerRuns() && !OthersMayEndLoop())
      ReportLivelock(*this);
    scheduler_.ExpectInput();
  }
}

// It has come to the end of its operation: signals that it was sent before are for now.
void Control::FinishAndRaise(ControlledThread *thread) {
  if (UNLIKELY(demo_mode != DemoMode::kOff))
    PostFromOutside(thread, scheduler_.Ticks());
  PostedSignal *signals = thread->posted;
  thread->posted = nullptr;
  // In a handler: when that is done the call goes on.
  if (UNLIKELY(thread->gone)) {
    GoAway(thread);
    Tick(thread);
  } else {
    TickAndGoOn(thread);
  }
  thread->busy = false;
  Raise(thread, signals);
}

void Control::WaitWithoutSignals(ControlledThread *thread, const Operation &operation) {
  for (;;) {
    ProcessPendingSignals(thread->thr);
    Wait(thread, operation, 0);
    if (!thread->posted &&
        LIKELY(demo_mode == DemoMode::kOff || !ComesFromOutside(thread, scheduler_.Ticks())))
      return;
    thread->productive = false;
    FinishAndRaise(thread);
  }
}

void Control::HandOver(ControlledThread *thread) {
  atomic_store_relaxed(&ticks_, scheduler_.Ticks());
  Decide(thread->id, thread->id);
}

// Whether a wait of an asynchronously cancelled thread ends. A one-time initialisation is the
// business of all who wait for it.
static bool EndsByCancel(WaitKind kind) {
  return kind != WaitKind::kOnce && kind != WaitKind::kProcess;
}

Outcome Control::Block(ControlledThread *thread, const WaitFor &wait) {
  const u64 limit = wait.deadline == WaitFor::kNoDeadline || wait.deadline < scheduler_.Now()
                        ? 0
                        : MonotonicNanoTime() + (wait.deadline - scheduler_.Now());
  Operation operation = thread->operation;
  scheduler_.Block(thread->id, wait);
  if (UNLIKELY(SignalIsDue(thread)) ||
      (UNLIKELY(async_cancels) && EndsByCancel(wait.kind) && AsyncCancelIsDue(thread)))
    scheduler_.Interrupt(thread->id);
  if (scheduler_.StatusOf(thread->id) == ThreadStatus::kBlocked && scheduler_.InCycle(thread->id))
    ReportDeadlock(*this);
  Tick(thread);
  thread->operation = operation;
  thread->blocked = true;
  thread->blocked_until = limit;
  AwaitTurn(thread);
  thread->blocked = false;
  thread->blocked_until = 0;
  thread->inside = true;
  thread->productive = Writes(operation.kind);
  if (UNLIKELY(writes_execution))
    OperationBegins(thread);
  return scheduler_.OutcomeOf(thread->id);
}

// The path of a thread that goes on after its own operation.
ALWAYS_INLINE bool Control::TryTake(ControlledThread *thread) {
  if (LIKELY(turn_.TakeGiven(thread->id)))
    return true;
  if (first_come_ && !thread->blocked && !atomic_load_relaxed(&thread->away) &&
      turn_.TakeFree(thread->id)) {
    scheduler_.Took(thread->id);
    return true;
  }
  return false;
}

void Control::AwaitTurn(ControlledThread *thread) {
  Arrive(thread);
  // Woken already, before it had come to wait: nobody has seen it, and the turn may
  // lie idle.
  if (first_come_ && thread->blocked && turn_.TakeFree(Decider()))
    Decide(last_);
  for (;;) {
    if (UNLIKELY(processes_together))
      LookAtGroup(thread);
    const u64 tick = atomic_load_relaxed(&ticks_);
    thread->seat.Prepare();
    if (TryTake(thread)) {
      thread->seat.Cancel();
      break;
    }
    // Away, by no doing of its own: it was stuck where the schedule does not reach; or in a
    // call in which a handler has been called.
    if (atomic_load(&thread->away, memory_order_acquire))
      Ask(thread, Request::kLeaveKernel);
    // Also one that came before it was blocked.
    if (thread->blocked &&
        (atomic_load_relaxed(&thread->thr->pending_signals) || HasFromOutside(thread)))
      Ask(thread, Request::kSignal);
    if (turn_.IsFree() && atomic_load(&requests_count_, memory_order_seq_cst) &&
        turn_.TakeFree(Decider())) {
      // The turn lies idle, and somebody has asked for it.
      thread->seat.Cancel();
      Decide(last_);
      continue;
    }
    const int sleep_ms = MillisecondsToSleep(thread);
    const bool woken =
        openmp_code_size ? SleepWithOpenMp(thread, sleep_ms) : thread->seat.Sleep(sleep_ms);
    if (IsDue(thread))
      Ask(thread, Request::kExpired);
    else if (!woken && sleep_ms == time_slice_ms_)
      Supervise(thread, tick);
  }
  Depart(thread);
}

//===-- Who is next -------------------------------------------------------===//

// The caller has the turn, or none has while all are gathered, and gives it away.
// `self`, if it is a thread that does not sleep, need not be woken.
void Control::Decide(ThreadId last, ThreadId self) {
  for (;;) {
    const u32 seen = atomic_load(&events_, memory_order_seq_cst);
    if (UNLIKELY(idle_since_ || timers_armed))
      PassTime(); // until those came who have asked
    if (UNLIKELY(atomic_load_relaxed(&requests_count_)))
      HandleRequests();
    // Who is to come back now, by the demo, may not have come yet.
    const bool ready = LIKELY(!Playing()) || PlayRequests(&last);
    if (ready && needs_next_ && !Gathered(last))
      return;
    Decision decision = ready ? scheduler_.Next(last) : Decision{Decision::kIdle, kNoThread};
    switch (decision.kind) {
    case Decision::kRun:
      idle_since_ = 0;
      if (UNLIKELY(Playing()) && PlayStuck(decision.thread)) {
        last = kNoThread;
        continue;
      }
      return Give(decision.thread, self);
    case Decision::kDeadlock:
      if (UNLIKELY(processes_together) && WaitsForOthers())
        atomic_store_relaxed(&others_awaited_, 1);
      else if (!SignalMayCome())
        ReportDeadlock(*this);
      if (UNLIKELY(Playing()))
        DemoIdles();
      atomic_store_relaxed(&timer_awaited_, 1);
      BeginIdleTime();
      break;
    case Decision::kFirstCome:
      idle_since_ = 0;
      if (ControlledThread *first = FirstArrival()) {
        scheduler_.Took(first->id);
        return Give(first->id, self);
      }
      break;
    case Decision::kIdle:
      if (UNLIKELY(demo_mode != DemoMode::kOff))
        DemoIdles();
      BeginIdleTime();
      break;
    }
    last_ = last;
    turn_.Free();
    // Whoever came before that saw no free turn, and sleeps.
    if (seen == atomic_load(&events_, memory_order_seq_cst) || !turn_.TakeFree(Decider()))
      return;
    last = last_; // others may have had the turn in between
  }
}

ALWAYS_INLINE void Control::Give(ThreadId to, ThreadId self) {
  turn_.Give(to);
  if (to != self)
    threads_[to]->seat.Wake();
}

//===-- Away --------------------------------------------------------------===//

void Control::Leave(ControlledThread *thread, u64 limit) {
  PrepareToLeave(thread, limit);
  LeaveNow(thread);
}

// Handlers that are called first may make calls of their own: until then the thread is in none.
void Control::PrepareToLeave(ControlledThread *thread, u64 limit) {
  WaitWithoutSignals(thread, {OperationKind::kBlockingCall, 0});
  thread->leaving = true;
  thread->call_limit = limit;
  thread->gave_up = false;
  thread->call_deadline = thread->call_limit < ~0ull - scheduler_.Now()
                              ? scheduler_.Now() + thread->call_limit
                              : WaitFor::kNoDeadline;
}

void Control::LeaveNow(ControlledThread *thread) {
  thread->leaving = false;
  thread->gone = true;
  GoAway(thread);
  Tick(thread);
}

void Control::GoAway(ControlledThread *thread) {
  atomic_store(&thread->away, 1, memory_order_release);
  scheduler_.EnterKernel(thread->id);
}

void Control::Return(ControlledThread *thread) {
  EnterCall(thread); // there was none
  if (!thread->inside)
    ComeBack(thread);
  if (thread->gave_up)
    scheduler_.PassTo(thread->call_deadline);
  Finish(thread);
}

void Control::ComeBack(ControlledThread *thread) {
  thread->gone = false;
  thread->operation = {OperationKind::kBlockingCall, 0};
  Ask(thread, Request::kLeaveKernel);
  AwaitTurn(thread);
  thread->inside = true;
  if (UNLIKELY(writes_execution))
    OperationBegins(thread);
  if (UNLIKELY(thread->created_count))
    CreateDescriptors(thread);
  thread->productive = true;
}

//===-- VisibleOperation --------------------------------------------------===//

void VisibleOperation::Begin(ThreadState *thr, uptr pc, const Operation &operation) {
  ControlledThread *thread = thr->heddle.Controlled();
  if (!thread || thread->inside)
    return;
  thread_ = thread;
  control->Wait(thread, {operation.kind, NameOfObject(operation.object)}, pc);
}

void VisibleOperation::Finish() {
  ControlledThread *thread = thread_;
  thread_ = nullptr;
  control->Finish(thread);
}

void VisibleOperation::Unproductive() {
  if (thread_)
    thread_->productive = false;
}

void VisibleOperation::Loaded(const volatile void *object, u64 value) {
  if (thread_)
    control->scheduler().Loaded(thread_->id, reinterpret_cast<uptr>(object), value);
}

void VisibleOperation::Accessed(const AtomicAccess &access) {
  if (UNLIKELY(writes_execution) && thread_)
    DescribeAccess(access);
}

// Whether the thread waits for what others are to do, and not for its turn at a lock.
static bool AwaitsOthers(WaitKind kind) {
  switch (kind) {
  case WaitKind::kCondition:
  case WaitKind::kSemaphore:
  case WaitKind::kBarrier:
  case WaitKind::kThread:
  case WaitKind::kFutex:
  case WaitKind::kProcess:
    return true;
  case WaitKind::kNothing:
  case WaitKind::kMutex:
  case WaitKind::kRwLock:
  case WaitKind::kSpinLock:
  case WaitKind::kOnce:
  case WaitKind::kTime:
    return false;
  }
}

Outcome VisibleOperation::Block(const WaitFor &wait) {
  if (!thread_)
    return Outcome::kSpurious;
  if (AwaitsOthers(wait.kind))
    WeakThreadWaits(thread_->thr);
  WaitFor named = wait;
  named.object = NameOfObject(wait.object);
  return control->Block(thread_, named);
}

void VisibleOperation::Pause() {
  if (!thread_)
    return;
  Operation operation = thread_->operation;
  uptr pc = thread_->pc;
  control->Tick(thread_);
  control->Wait(thread_, operation, pc);
}

bool VisibleOperation::WakeOne(WaitKind kind, const volatile void *object, u32 bits) {
  return thread_ && control->scheduler().WakeOne(kind, NameOfObject(object), bits) != kNoThread;
}

u32 VisibleOperation::WakeAll(WaitKind kind, const volatile void *object) {
  return thread_ ? control->scheduler().WakeAll(kind, NameOfObject(object)) : 0;
}

u32 VisibleOperation::Waiters(WaitKind kind, const volatile void *object) const {
  return thread_ ? control->scheduler().Waiters(kind, NameOfObject(object)) : 0;
}

bool VisibleOperation::Cancelled() {
  if (!thread_ || !CancelRequested(thread_->thr))
    return false;
  thread_->ending = true;
  return true;
}

u32 VisibleOperation::Requeue(WaitKind kind, const volatile void *from, const volatile void *to,
                              u32 most) {
  return thread_ ? control->scheduler().Requeue(kind, NameOfObject(from), NameOfObject(to), most)
                 : 0;
}

void VisibleOperation::Hold(const volatile void *lock) {
  if (thread_)
    control->scheduler().Hold(NameOfObject(lock), thread_->id);
}

void VisibleOperation::LetGo(const volatile void *lock) {
  if (thread_)
    control->scheduler().LetGo(NameOfObject(lock), thread_->id);
}

bool VisibleOperation::IsHeld(const volatile void *lock) const {
  return thread_ && control->scheduler().HolderOf(NameOfObject(lock)) != kNoThread;
}

void VisibleOperation::Sleep(u64 nanoseconds) {
  if (thread_)
    control->scheduler().Sleep(nanoseconds);
}

void VisibleOperation::LookAtClock() {
  if (thread_)
    control->scheduler().LookedAtClock(thread_->id);
}

void AwayFromSchedule::Leave(ThreadState *thr, When when, u64 limit) {
  ControlledThread *thread = thr->heddle.Controlled();
  if (!thread || thread->inside)
    return;
  thread_ = thread;
  if (!thread->calls_away) {
    if (when == kInCall && ThreadWithInput())
      control->PrepareToLeave(thread, limit);
    else
      control->Leave(thread, limit);
  }
  thread->calls_away++;
}

void AwayFromSchedule::Return() {
  if (!--thread_->calls_away)
    control->Return(thread_);
}

void AwayFromSchedule::GaveUp() {
  // Within another call it is that one's limit which counts.
  if (thread_ && thread_->calls_away == 1)
    thread_->gave_up = true;
}

u64 LogicalNow() { return control->scheduler().Now(); }

bool IsControlled(ThreadState *thr) {
  ControlledThread *thread = thr->heddle.Controlled();
  return thread && !thread->inside && !MustIgnoreInterceptor(thr);
}

} // namespace __heddle
