//===-- heddle_control_group.cpp - A schedule of several processes --------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How processes leave the schedule that they have in common: docs/processes.md. One that ends
// says so with its last operation. One that dies is found by those who wait for their
// turn: whoever has slept for a time slice looks whether the schedule waits for the dead.
//
// A process that has left may still run for a moment. Its threads sleep then and do nothing for the
// others, since they may be gone before it is done.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_shared_memory.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {

void Control::Bury(MemberId id) {
  GroupMember &member = MemberAt(id);
  if (member.gone)
    return;
  member.gone = true;
  member.live = 0;
  {
    SpinMutexLock lock(&mutex_);
    for (ControlledThread **link = &requests_; *link;) {
      if ((*link)->member != id) {
        link = &(*link)->next_request;
        continue;
      }
      *link = (*link)->next_request;
      atomic_fetch_sub(&requests_count_, 1, memory_order_seq_cst);
    }
    arrivals_end_ = &arrivals_;
    for (ControlledThread **link = &arrivals_; *link;) {
      if ((*link)->member == id)
        *link = (*link)->next_arrival;
      else
        link = arrivals_end_ = &(*link)->next_arrival;
    }
  }
  for (u32 i = 0; i < Threads(); i++) {
    ControlledThread *thread = At(i);
    if (thread->member != id || thread->ended)
      continue;
    TakeFromKeeper(thread->id);
    thread->ended = true;
    scheduler_.Remove(thread->id);
  }
  if (member.parent != kNoMember)
    scheduler_.WakeAll(WaitKind::kProcess, member.parent + 1);
}

void Control::LeaveGroup(bool for_another_program) {
  ThisMember().outside = for_another_program;
  Bury(this_member);
  atomic_store_relaxed(&ticks_, scheduler_.Ticks());
  Decide(kNoThread);
}

void Control::AwaitDeath(MemberId member) {
  while (!IsDead(MemberAt(member)))
    internal_usleep(100);
}

// They say first where their threads are, as part of the report. One that is in a system call does
// so when it comes back: it is not waited for.
void Control::EndOthers() {
  atomic_store(&all_end_, 1, memory_order_seq_cst);
  for (u32 i = 0; i < Threads(); i++)
    if (!IsOurs(At(i)))
      At(i)->seat.Wake();
  constexpr u64 kPatience = 10'000'000'000;
  const u64 limit = MonotonicNanoTime() + kPatience;
  for (u32 i = 0; i < Threads(); i++)
    while (!IsOurs(At(i)) && !At(i)->ended && scheduler_.StatusOf(i) == ThreadStatus::kBlocked &&
           !IsDead(MemberAt(At(i)->member)) && MonotonicNanoTime() < limit)
      internal_usleep(1000);
}

// Before the thread sleeps, or does anything for others.
void Control::LookAtGroup(ControlledThread *thread) {
  if (UNLIKELY(atomic_load(&all_end_, memory_order_seq_cst))) {
    SpinMutexLock lock(&end_mutex_); // one process after another, until each has ended
    PrintThreads(*this, "");
    Die();
  }
  while (UNLIKELY(thread->ended))
    internal_usleep(100000);
  if (UNLIKELY(atomic_load_relaxed(&others_awaited_)) && thread->blocked && turn_.IsFree() &&
      OthersMayHave(scheduler_.WaitOf(thread->id).object))
    Ask(thread, Request::kRetry);
}

// Nobody can go on, but a thread waits for what other programs may change.
bool Control::WaitsForOthers() const {
  const auto &blocked = scheduler_.Blocked();
  for (u32 i = 0; i < blocked.Size(); i++)
    if (OthersMayHave(scheduler_.WaitOf(blocked[i]).object))
      return true;
  return false;
}

bool Control::AnyIsDead() const {
  for (MemberId id = 0; id < Members(); id++)
    if (id != this_member && !MemberAt(id).gone && IsDead(MemberAt(id)))
      return true;
  return false;
}

bool Control::IsDeadHolder(ThreadId holder) {
  const MemberId member = holder >= kDeciders ? holder - kDeciders : At(holder)->member;
  return member != this_member && IsDead(MemberAt(member));
}

// Takes the turn for itself if otherwise nobody would have it any more.
bool Control::TakeFromDead(ControlledThread *thread) {
  const ThreadId awaited = needs_next_ ? Awaited() : kNoThread;
  if (awaited != kNoThread)
    return IsDeadHolder(awaited) && TakeFromAwaited(awaited, thread->id);
  const ThreadId holder = turn_.Holder();
  if (holder == kNoThread)
    return AnyIsDead() && turn_.TakeFree(Decider());
  return IsDeadHolder(holder) && turn_.TakeFromDead(holder, Decider());
}

bool Control::BuryDead(ControlledThread *thread) {
  if (!TakeFromDead(thread))
    return false;
  for (MemberId id = 0; id < Members(); id++)
    if (!MemberAt(id).gone && IsDead(MemberAt(id)))
      Bury(id);
  Decide(kNoThread);
  return true;
}

} // namespace __heddle
