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

#include "heddle/rtl/heddle_cancel.h"
#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_sync.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_file.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_linux.h"
#include "sanitizer_common/sanitizer_placement_new.h"
#include "tsan_interceptors.h"

#include <signal.h>

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {

bool schedule_controlled;
Control *control;

ControlledThread *ControlledOf(ThreadState *thr) { return thr->heddle.Controlled(); }

Control::Control(StrategyKind kind, const StrategyOptions &strategy_options,
                 const SchedulerOptions &options, int time_slice_ms, Chooser *replayer,
                 ChoiceRecorder *recorder)
    : kind_(kind), seed_(strategy_options.seed), time_slice_ms_(time_slice_ms),
      strategy_(kind, strategy_options), chooser_(strategy_.Get(), strategy_options.seed),
      choices_(replayer ? *replayer : chooser_, recorder),
      scheduler_(strategy_.Get(), chooser_, choices_, options),
      first_come_(options.first_come && strategy_.Get().FirstCome()),
      needs_next_(!replayer && strategy_.Get().NeedsNext()) {}

//===-- Wait and Tick -----------------------------------------------------===//

void Control::Wait(ControlledThread *thread, const Operation &operation, uptr pc) {
  thread->operation = operation;
  thread->pc = pc;
  thread->productive = Writes(operation.kind);
  if (UNLIKELY(needs_next_ || !TryTake(thread)))
    AwaitTurn(thread);
  thread->inside = true;
}

void Control::Tick(ControlledThread *thread) {
  thread->inside = false;
  if (UNLIKELY(tracing))
    TraceOperation(scheduler_.Ticks(), thread->id, thread->operation.kind);
  scheduler_.Ran(thread->id, thread->operation, thread->productive);
  if (UNLIKELY(scheduler_.Livelocked()))
    ReportLivelock(*this);
  HandOver(thread);
}

void Control::HandOver(ControlledThread *thread) {
  atomic_store_relaxed(&ticks_, scheduler_.Ticks());
  Decide(thread->id, thread->id);
}

Outcome Control::Block(ControlledThread *thread, const WaitFor &wait) {
  const u64 limit = wait.deadline == WaitFor::kNoDeadline || wait.deadline < scheduler_.Now()
                        ? 0
                        : MonotonicNanoTime() + (wait.deadline - scheduler_.Now());
  Operation operation = thread->operation;
  scheduler_.Block(thread->id, wait);
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
  if (first_come_ && thread->blocked && turn_.TakeFree(kDecider))
    Decide(kNoThread);
  for (;;) {
    const u64 tick = atomic_load_relaxed(&ticks_);
    thread->seat.Prepare();
    if (TryTake(thread)) {
      thread->seat.Cancel();
      break;
    }
    // Away, by no doing of its own: it was stuck where the schedule does not reach.
    if (atomic_load(&thread->away, memory_order_acquire))
      Ask(thread, Request::kLeaveKernel);
    // Also one that came before it was blocked.
    if (thread->blocked && atomic_load_relaxed(&thread->thr->pending_signals))
      Ask(thread, Request::kSignal);
    if (turn_.IsFree() && atomic_load(&requests_count_, memory_order_seq_cst) &&
        turn_.TakeFree(kDecider)) {
      // The turn lies idle, and somebody has asked for it.
      thread->seat.Cancel();
      Decide(kNoThread);
      continue;
    }
    bool woken = thread->seat.Sleep(time_slice_ms_);
    if (thread->blocked_until && MonotonicNanoTime() >= thread->blocked_until && turn_.IsFree())
      Ask(thread, Request::kExpired);
    else if (!woken)
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
    if (UNLIKELY(atomic_load_relaxed(&requests_count_)))
      HandleRequests();
    if (needs_next_ && !Gathered(last))
      return;
    Decision decision = scheduler_.Next(last);
    switch (decision.kind) {
    case Decision::kRun:
      return Give(decision.thread, self);
    case Decision::kDeadlock:
      ReportDeadlock(*this);
    case Decision::kFirstCome:
      if (ControlledThread *first = FirstArrival()) {
        scheduler_.Took(first->id);
        return Give(first->id, self);
      }
      break;
    case Decision::kIdle:
      break;
    }
    turn_.Free();
    // Whoever came before that saw no free turn, and sleeps.
    if (seen == atomic_load(&events_, memory_order_seq_cst) || !turn_.TakeFree(kDecider))
      return;
  }
}

ALWAYS_INLINE void Control::Give(ThreadId to, ThreadId self) {
  turn_.Give(to);
  if (to != self)
    threads_[to]->seat.Wake();
}

//===-- Arrivals and requests ---------------------------------------------===//

// What the thread is about to do is known, and it waits for its turn.
void Control::Arrive(ControlledThread *thread) {
  if (!needs_next_ && !first_come_)
    return;
  bool decide = false;
  {
    SpinMutexLock lock(&mutex_);
    thread->arrived = true;
    thread->next_arrival = nullptr;
    if (first_come_) {
      *arrivals_end_ = thread;
      arrivals_end_ = &thread->next_arrival;
      atomic_fetch_add(&events_, 1, memory_order_seq_cst);
    } else if (gathering_ && AllArrived()) {
      gathering_ = false;
      decide = true;
    }
  }
  if (decide)
    Decide(last_, thread->id);
}

void Control::Depart(ControlledThread *thread) {
  if (!needs_next_ && !first_come_)
    return;
  SpinMutexLock lock(&mutex_);
  thread->arrived = false;
  if (!first_come_)
    return;
  for (ControlledThread **link = &arrivals_; *link; link = &(*link)->next_arrival) {
    if (*link != thread)
      continue;
    *link = thread->next_arrival;
    if (!*link)
      arrivals_end_ = link;
    return;
  }
}

// The enabled thread that has waited longest.
ControlledThread *Control::FirstArrival() {
  SpinMutexLock lock(&mutex_);
  for (ControlledThread *thread = arrivals_; thread; thread = thread->next_arrival)
    if (scheduler_.StatusOf(thread->id) == ThreadStatus::kEnabled)
      return thread;
  return nullptr;
}

// Whether all enabled threads wait for their turn. If not, the last of them to
// come will go on with the decision.
bool Control::Gathered(ThreadId last) {
  SpinMutexLock lock(&mutex_);
  if (!AllArrived()) {
    gathering_ = true;
    last_ = last;
    return false;
  }
  const auto &enabled = scheduler_.Enabled();
  for (u32 i = 0; i < enabled.Count(); i++)
    scheduler_.Announce(enabled[i], threads_[enabled[i]]->operation);
  return true;
}

bool Control::AllArrived() {
  const auto &enabled = scheduler_.Enabled();
  for (u32 i = 0; i < enabled.Count(); i++)
    if (!threads_[enabled[i]]->arrived)
      return false;
  return true;
}

// Asks whoever has the turn to enable the thread.
void Control::Ask(ControlledThread *thread, Request request) {
  SpinMutexLock lock(&mutex_);
  if (thread->request != Request::kNone)
    return;
  thread->request = request;
  thread->next_request = requests_;
  requests_ = thread;
  atomic_fetch_add(&requests_count_, 1, memory_order_seq_cst);
  atomic_fetch_add(&events_, 1, memory_order_seq_cst);
}

// The caller has the turn.
void Control::HandleRequests() {
  SpinMutexLock lock(&mutex_);
  while (ControlledThread *thread = requests_) {
    requests_ = thread->next_request;
    atomic_fetch_sub(&requests_count_, 1, memory_order_seq_cst);
    switch (thread->request) {
    case Request::kLeaveKernel:
      if (atomic_load_relaxed(&thread->away)) {
        atomic_store(&thread->away, 0, memory_order_release);
        scheduler_.LeaveKernel(thread->id);
      }
      break;
    case Request::kSignal:
      scheduler_.Interrupt(thread->id);
      break;
    case Request::kExpired:
      scheduler_.Expire(thread->id);
      break;
    case Request::kNone:
      break;
    }
    thread->request = Request::kNone;
  }
}

//===-- Away --------------------------------------------------------------===//

void Control::Leave(ControlledThread *thread) {
  Wait(thread, {OperationKind::kBlockingCall, 0}, 0);
  atomic_store(&thread->away, 1, memory_order_release);
  scheduler_.EnterKernel(thread->id);
  Tick(thread);
}

void Control::Return(ControlledThread *thread) {
  thread->operation = {OperationKind::kBlockingCall, 0};
  Ask(thread, Request::kLeaveKernel);
  AwaitTurn(thread);
  thread->inside = true;
  thread->productive = true;
  Tick(thread);
}

//===-- Liveness ----------------------------------------------------------===//

namespace {

struct Sample {
  char state = 0;
  u64 switches = 0; // voluntary ones

  bool Sleeps() const { return state == 'S' || state == 'D'; }
};

// How the kernel sees a thread.
Sample SampleThread(u32 os_id) {
  Sample sample;
  char path[64], text[2048];
  internal_snprintf(path, sizeof(path), "/proc/self/task/%u/status", os_id);
  fd_t file = OpenFile(path, RdOnly);
  if (file == kInvalidFd)
    return sample;
  uptr size = 0;
  ReadFromFile(file, text, sizeof(text) - 1, &size);
  CloseFile(file);
  text[size] = '\0';
  if (const char *state = internal_strstr(text, "State:\t"))
    sample.state = state[7];
  if (const char *switches = internal_strstr(text, "\nvoluntary_ctxt_switches:\t"))
    sample.switches = internal_atoll(switches + 26);
  return sample;
}

} // namespace

// The thread has slept for a time slice. If the schedule has stood still all the
// while, waiting for a thread that is stuck in the kernel, in code that we do not
// see, then that thread is away, and others go on. One that only computes is
// waited for: how long that takes must not change the schedule.
void Control::Supervise(ControlledThread *thread, u64 tick) {
  ThreadId awaited = Awaited();
  if (awaited == kNoThread || awaited == thread->id || tick != atomic_load_relaxed(&ticks_))
    return;
  ControlledThread *other = At(awaited);
  Sample before = SampleThread(other->os_id);
  if (!before.Sleeps())
    return;
  thread->seat.Prepare();
  if (turn_.AwaitedThread() == thread->id || thread->seat.Sleep(time_slice_ms_))
    return;
  Sample after = SampleThread(other->os_id);
  if (!after.Sleeps() || before.switches != after.switches ||
      tick != atomic_load_relaxed(&ticks_) || !TakeFromAwaited(awaited, thread->id))
    return;
  forced_switches_++;
  atomic_store(&other->away, 1, memory_order_release);
  scheduler_.EnterKernel(awaited);
  other->seat.Wake(); // should it have come meanwhile
  Decide(kNoThread);
}

// The thread that the schedule waits for, if it has not come.
ThreadId Control::Awaited() {
  if (!needs_next_)
    return turn_.AwaitedThread();
  SpinMutexLock lock(&mutex_);
  const auto &enabled = scheduler_.Enabled();
  for (u32 i = 0; gathering_ && i < enabled.Count(); i++)
    if (!threads_[enabled[i]]->arrived)
      return enabled[i];
  return kNoThread;
}

bool Control::TakeFromAwaited(ThreadId awaited, ThreadId thread) {
  if (!needs_next_)
    return turn_.TakeFrom(awaited, thread);
  SpinMutexLock lock(&mutex_);
  if (!gathering_ || threads_[awaited]->arrived)
    return false;
  gathering_ = false;
  return true;
}

//===-- The life of threads -----------------------------------------------===//

void Control::Begin(ThreadState *main) {
  ControlledThread *thread = Add();
  thread->thr = main;
  thread->os_id = GetTid();
  main->heddle.SetControlled(thread);
  turn_.Give(thread->id);
}

ControlledThread *Control::Add() {
  auto *thread = New<ControlledThread>();
  internal_memset(thread, 0, sizeof(*thread));
  ThreadId id = scheduler_.Create();
  thread->id = id;
  SpinMutexLock lock(&mutex_);
  threads_.Push(thread);
  return thread;
}

ControlledThread *Control::At(ThreadId id) {
  SpinMutexLock lock(&mutex_);
  return threads_[id];
}

// Who is not controlled at this moment may ask for a turn all the same.
void Control::BeforeFork() SANITIZER_NO_THREAD_SAFETY_ANALYSIS {
  FlushTrace();
  mutex_.Lock();
}

void Control::AfterFork(ControlledThread *thread, bool child) SANITIZER_NO_THREAD_SAFETY_ANALYSIS {
  mutex_.Unlock();
  if (!child)
    return;
  AbandonTrace();
  scheduler_.KeepOnly(thread->id);
  thread->os_id = GetTid();
  requests_ = arrivals_ = nullptr;
  arrivals_end_ = &arrivals_;
  atomic_store_relaxed(&requests_count_, 0);
  gathering_ = false;
  for (u32 i = 0; i < Threads(); i++)
    if (threads_[i] != thread)
      threads_[i]->ended = true;
}

void Control::Stop(ThreadState *thr) {
  ControlledThread *thread = thr->heddle.Controlled();
  if (thread && !thread->inside)
    Wait(thread, {}, 0);
}

//===-- VisibleOperation --------------------------------------------------===//

void VisibleOperation::Begin(ThreadState *thr, uptr pc, const Operation &operation) {
  ControlledThread *thread = thr->heddle.Controlled();
  if (!thread || thread->inside)
    return;
  thread_ = thread;
  control->Wait(thread, operation, pc);
}

void VisibleOperation::Finish() {
  ControlledThread *thread = thread_;
  thread_ = nullptr;
  control->Tick(thread);
}

void VisibleOperation::Unproductive() {
  if (thread_)
    thread_->productive = false;
}

void VisibleOperation::Loaded(const volatile void *object, u64 value) {
  if (thread_)
    control->scheduler().Loaded(thread_->id, reinterpret_cast<uptr>(object), value);
}

Outcome VisibleOperation::Block(const WaitFor &wait) {
  return thread_ ? control->Block(thread_, wait) : Outcome::kSpurious;
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
  return thread_ &&
         control->scheduler().WakeOne(kind, reinterpret_cast<uptr>(object), bits) != kNoThread;
}

u32 VisibleOperation::WakeAll(WaitKind kind, const volatile void *object) {
  return thread_ ? control->scheduler().WakeAll(kind, reinterpret_cast<uptr>(object)) : 0;
}

u32 VisibleOperation::Waiters(WaitKind kind, const volatile void *object) const {
  return thread_ ? control->scheduler().Waiters(kind, reinterpret_cast<uptr>(object)) : 0;
}

bool VisibleOperation::Cancelled() {
  if (!thread_ || !CancelRequested(thread_->thr))
    return false;
  thread_->ending = true;
  return true;
}

u32 VisibleOperation::Requeue(WaitKind kind, const volatile void *from, const volatile void *to,
                              u32 most) {
  return thread_ ? control->scheduler().Requeue(kind, reinterpret_cast<uptr>(from),
                                                reinterpret_cast<uptr>(to), most)
                 : 0;
}

void VisibleOperation::Hold(const volatile void *lock) {
  if (thread_)
    control->scheduler().Hold(reinterpret_cast<uptr>(lock), thread_->id);
}

void VisibleOperation::LetGo(const volatile void *lock) {
  if (thread_)
    control->scheduler().LetGo(reinterpret_cast<uptr>(lock), thread_->id);
}

void VisibleOperation::Sleep(u64 nanoseconds) {
  if (thread_)
    control->scheduler().Sleep(nanoseconds);
}

void VisibleOperation::LookAtClock() {
  if (thread_)
    control->scheduler().LookedAtClock(thread_->id);
}

void AwayFromSchedule::Leave(ThreadState *thr) {
  ControlledThread *thread = thr->heddle.Controlled();
  if (!thread || thread->inside)
    return;
  thread_ = thread;
  if (!thread->calls_away++)
    control->Leave(thread);
}

void AwayFromSchedule::Return() {
  if (!--thread_->calls_away)
    control->Return(thread_);
}

//===-- The life of threads -----------------------------------------------===//

ControlledThread *NewThread(VisibleOperation &visible) {
  return visible.controlled() ? control->Add() : nullptr;
}

void DiscardThread(ControlledThread *thread) {
  control->scheduler().Finish(thread->id);
  thread->ended = true;
}

void ThreadBegins(ThreadState *thr, ControlledThread *thread) {
  thread->thr = thr;
  thread->os_id = GetTid();
  thr->heddle.SetControlled(thread);
  VisibleOperation visible(thr, 0, OperationKind::kThreadStart, nullptr);
}

bool ThreadEnds(ThreadState *thr) {
  ControlledThread *thread = thr->heddle.Controlled();
  if (!thread)
    return true;
  // It may have been cancelled within an operation, by a thread out of our control.
  if (!thread->inside)
    control->Wait(thread, {OperationKind::kThreadExit, uptr(thread->id) + 1}, 0);
  if (control->scheduler().Live() == 1) {
    control->Tick(thread);
    return false;
  }
  if (thread->detached)
    thread->handle = 0;
  control->scheduler().Finish(thread->id);
  thread->ended = true;
  thr->heddle.SetControlled(nullptr);
  thread->thr = nullptr;
  control->Tick(thread);
  return true;
}

ControlledThread *FindThread(uptr handle) {
  for (u32 i = control->Threads(); i-- > 0;)
    if (control->At(i)->handle == handle)
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
  if (thread->ended)
    thread->handle = 0;
}
bool IsDetached(const ControlledThread *thread) { return thread->detached; }
ThreadId IdOf(const ControlledThread *thread) { return thread->id; }
bool HasEnded(const ControlledThread *thread) { return thread->ended; }

void BeforeFork(ThreadState *thr) {
  ControlledThread *thread = thr->heddle.Controlled();
  if (!thread || thread->inside)
    return;
  control->Wait(thread, {OperationKind::kFork, 0}, 0);
  control->BeforeFork();
}

void AfterFork(ThreadState *thr, bool child) {
  ControlledThread *thread = thr->heddle.Controlled();
  if (!thread || thread->operation.kind != OperationKind::kFork) {
    // A thread out of our control forks, and takes no other with it.
    schedule_controlled = schedule_controlled && !child;
    return;
  }
  control->AfterFork(thread, child);
  control->Tick(thread);
}

void TakeTurnForGood(ThreadState *thr) {
  ControlledThread *thread = thr->heddle.Controlled();
  if (thread && !thread->inside)
    control->Wait(thread, {OperationKind::kExit, 0}, 0);
}

u64 LogicalNow() { return control->scheduler().Now(); }

bool IsControlled(ThreadState *thr) {
  ControlledThread *thread = thr->heddle.Controlled();
  return thread && !thread->inside && !MustIgnoreInterceptor(thr);
}

void ThreadExtension::SignalComes(int flags) { interrupts_ |= !(flags & SA_RESTART); }

bool HandleSignals(ThreadState *thr) {
  thr->heddle.TakeInterrupt(); // of signals before
  ProcessPendingSignals(thr);
  return thr->heddle.TakeInterrupt();
}

} // namespace __heddle
