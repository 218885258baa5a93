//===-- heddle_control_requests.cpp - Arrivals and requests ---------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What threads without the turn tell the one that has it: that they have come to
// wait for theirs, and that the scheduler is to enable them. All under
// Control::mutex_, since they come when they come.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_time.h"

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {

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
  // It is known that it is back. To ask again would be to ask for ever, until others come.
  if (UNLIKELY(Playing()) && thread->back && request == Request::kLeaveKernel)
    return;
  thread->request = request;
  thread->next_request = requests_;
  requests_ = thread;
  atomic_fetch_add(&requests_count_, 1, memory_order_seq_cst);
  atomic_fetch_add(&events_, 1, memory_order_seq_cst);
}

// The caller has the turn.
namespace {

AsyncKind KindOf(Request request) {
  switch (request) {
  case Request::kSignal:
    return AsyncKind::kInterrupted;
  case Request::kExpired:
    return AsyncKind::kExpired;
  default:
    return AsyncKind::kReturned;
  }
}

} // namespace

void Control::HandleRequests() {
  if (UNLIKELY(TakeReportRequest()))
    PrintWaiting();
  SpinMutexLock lock(&mutex_);
  while (ControlledThread *thread = requests_) {
    requests_ = thread->next_request;
    atomic_fetch_sub(&requests_count_, 1, memory_order_seq_cst);
    const Request request = thread->request;
    thread->request = Request::kNone;
    if (UNLIKELY(Playing()))
      thread->back |= request == Request::kLeaveKernel; // the demo says when
    else if (Enable(thread, request) && UNLIKELY(Recording()))
      RecordAsync(scheduler_.Ticks(), thread->id, KindOf(request));
  }
}

// False if there is no reason to any more.
bool Control::Enable(ControlledThread *thread, Request request) {
  switch (request) {
  case Request::kLeaveKernel:
    if (!atomic_load_relaxed(&thread->away))
      return false;
    atomic_store(&thread->away, 0, memory_order_release);
    scheduler_.LeaveKernel(thread->id);
    return true;
  case Request::kSignal:
    return scheduler_.Interrupt(thread->id);
  case Request::kExpired:
    return scheduler_.Expire(thread->id);
  case Request::kRetry:
    return scheduler_.Retry(thread->id);
  case Request::kNone:
    break;
  }
  return false;
}

//===-- In a replay -------------------------------------------------------===//

// What the demo has for this tick. False if a thread that is to come back has not come.
bool Control::PlayRequests(ThreadId *last) {
  SpinMutexLock lock(&mutex_);
  while (const AsyncEntry *entry = NextAsync(scheduler_.Ticks())) {
    if (entry->kind == AsyncKind::kTimePassed) {
      scheduler_.Sleep(entry->thread * kMillisecond);
      PopAsync();
      continue;
    }
    if (entry->thread >= threads_.Size())
      Desynchronised("thread T%u does something at this tick, but has not been created",
                     entry->thread);
    ControlledThread *thread = threads_[entry->thread];
    switch (entry->kind) {
    case AsyncKind::kReturned:
      if (!atomic_load_relaxed(&thread->away))
        Desynchronised("thread T%u comes back from the kernel, but it is not there", thread->id);
      if (!thread->back)
        return false;
      thread->back = false;
      Enable(thread, Request::kLeaveKernel);
      break;
    case AsyncKind::kInterrupted:
      if (!Enable(thread, Request::kSignal))
        Desynchronised("a signal ends a wait of thread T%u, but it does not wait", thread->id);
      break;
    case AsyncKind::kExpired:
      if (!Enable(thread, Request::kExpired))
        Desynchronised("a wait of thread T%u times out, but it does not wait", thread->id);
      break;
    case AsyncKind::kStuck:
      // Without a strategy that asks for everybody's next operation, it was chosen first.
      if (!needs_next_)
        return true;
      SendAway(thread->id);
      *last = kNoThread;
      break;
    case AsyncKind::kTimePassed:
      break; // as above
    }
    PopAsync();
  }
  return true;
}

// Whether there is one thread left, which is in the kernel. Not if it has come back, and the demo
// has yet to say so.
bool Control::LastIsAway() {
  if (scheduler_.Live() > 1)
    return false;
  SpinMutexLock lock(&mutex_);
  for (u32 i = 0; i < threads_.Size(); i++)
    if (atomic_load_relaxed(&threads_[i]->away) && !threads_[i]->back &&
        scheduler_.StatusOf(i) == ThreadStatus::kKernel)
      return true;
  return false;
}

// Whether the thread, which has been chosen, was stuck when it should have run.
bool Control::PlayStuck(ThreadId thread) {
  const AsyncEntry *entry = NextAsync(scheduler_.Ticks());
  if (!entry || entry->kind != AsyncKind::kStuck)
    return false;
  if (entry->thread != thread)
    Desynchronised("thread T%u is stuck outside of the schedule, but T%u is to run", entry->thread,
                   thread);
  SendAway(thread);
  PopAsync();
  return true;
}

// The thread is away by no doing of its own.
void Control::SendAway(ThreadId thread) {
  if (scheduler_.StatusOf(thread) != ThreadStatus::kEnabled)
    Desynchronised("thread T%u is stuck outside of the schedule, but it could not run", thread);
  threads_[thread]->call_deadline = WaitFor::kNoDeadline;
  atomic_store(&threads_[thread]->away, 1, memory_order_release);
  scheduler_.EnterKernel(thread);
  threads_[thread]->seat.Wake(); // should it have come meanwhile
}

} // namespace __heddle
