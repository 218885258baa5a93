//===-- scheduler.h - Threads, what they wait for, and who goes on --------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state behind Wait and Tick (Lidbury's thesis, 4.3): which threads there are,
// which can run, what the others wait for, and the order of visible operations.
// It blocks nobody and knows no system: the runtime calls it from the thread
// whose turn it is, and sees to it that there is only one.
//
//   Create, Finish           the life of threads
//   Block, Wake              a thread waits for an object; another has changed it
//   EnterKernel, LeaveKernel a thread is away, in a call that may take long
//   Announce                 what a thread is about to do
//   Next                     ends a visible operation: who is next?
//
// Time is logical: it passes with operations, and jumps to the end of the earliest
// timed wait when nothing else can happen (if a thread is in the kernel, something
// can: then it is the runtime's to wait, and to tell with Expire). A wait in the kernel that
// ends by its limit has moved it there: the runtime says so with PassTo. A timed wait is
// decided when it begins: either its time limit comes before anything else, and
// the thread stays enabled, or it waits like any other until that time has passed, or
// as long as any thread can run and gets anything done. Those that can run may all wait for it in
// loops. A sleep does not last for more than so many ticks: what others do in a second
// takes many times as long under a schedule.
//
// With `real_time` the clocks are the system's: then no timed wait ends but by Expire.
//
// A run is repeated by putting a Replayer into the ChoiceStream.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_SCHEDULE_SCHEDULER_H
#define HEDDLE_SCHEDULE_SCHEDULER_H

#include "heddle/schedule/holders.h"
#include "heddle/schedule/strategy_chooser.h"

namespace __heddle {

// What a blocked thread waits for.
enum class WaitKind : u8 {
  kNothing,
  kMutex, // object: the lock
  kRwLock,
  kSpinLock,
  kCondition,
  kSemaphore,
  kBarrier,
  kOnce,
  kThread, // object: the thread's id + 1
  kFutex,
  kTime,    // a sleep
  kProcess, // the end of a child; object: the number of the process that waits + 1
};

// How a wait ended.
enum class Outcome : u8 {
  kWoken,
  kTimedOut,
  kSpurious,
  kInterrupted, // by a signal
};

struct WaitFor {
  WaitKind kind = WaitKind::kNothing;
  uptr object = 0;
  bool may_be_spurious = false;
  u64 deadline = kNoDeadline; // in logical nanoseconds
  u32 bits = ~0u;             // is woken by those with a bit in common (FUTEX_WAIT_BITSET)

  static constexpr u64 kNoDeadline = ~0ull;
};

enum class ThreadStatus : u8 { kEnabled, kBlocked, kKernel, kFinished };

struct Decision {
  enum Kind : u8 {
    kRun,       // thread
    kFirstCome, // the enabled thread that comes first; tell with Took()
    kIdle,      // none can run, but some thread is in the kernel, or none is left
    kDeadlock,  // none can run, and nothing will change that
  };
  Kind kind;
  ThreadId thread;
};

struct SchedulerOptions {
  u64 nanoseconds_per_tick = 1000;
  // A thread counts as waiting when it has loaded one value so often, or has done so
  // many operations, without changing anything.
  u32 repeated_loads = 8;
  u32 unproductive_operations = 100;
  // Ticks in which nobody changes anything, until the earliest timed wait ends.
  u64 timeout_ticks = 1 << 10;
  // A limit that is further away than this, in nanoseconds, is there for when something
  // goes wrong: it comes if nothing else does, or after so many ticks of that kind.
  u64 soon = 60'000'000'000;
  u64 patience_ticks = 1 << 20;
  // And until it is a livelock. Operations of threads that say that they wait (they yield, or fail
  // to get a lock) count more often: others may be in a long loop whose atomic operations happen to
  // change nothing.
  u64 livelock_ticks = 1 << 24;
  u64 wait_counts = 16;
  // After so many of those ticks all seem to wait in loops. Each has so many operations in a
  // row then: to switch at each of them would only make the livelock take longer to be known.
  u64 still_ticks = 1 << 14;
  u32 still_turn = 64;
  // Of a sleep, if others get something done meanwhile.
  u64 sleep_ticks = 1 << 16;
  // False: who goes on is always asked, as it must be when a log is replayed.
  bool first_come = true;
  // Timed waits end when the runtime says so, and not before.
  bool real_time = false;
};

template <class Memory> class Scheduler {
public:
  Scheduler(Strategy<Memory> &strategy, StrategyChooser<Memory> &chooser, ChoiceStream &choices,
            const SchedulerOptions &options = SchedulerOptions())
      : strategy_(&strategy), chooser_(chooser), choices_(choices), options_(options) {}

  // Another strategy goes on from here, with the threads that there are.
  void GoOnWith(Strategy<Memory> &strategy) {
    strategy_ = &strategy;
    for (ThreadId t = 0; t < threads_.Size(); t++)
      if (threads_[t].status != ThreadStatus::kFinished)
        strategy_->Begin(t);
  }

  // There will be about so many threads: memory for them is taken now.
  void Expect(u32 threads) {
    threads_.Expect(threads);
    next_.Expect(threads);
  }

  // Another execution begins, in which the first thread is the only one; all others have
  // finished. Ticks are counted from 0, but time does not go back.
  void BeginAnew(Strategy<Memory> &strategy) {
    Require(live_ == 1 && !in_kernel_ && threads_[0].status == ThreadStatus::kEnabled);
    threads_.Truncate(1);
    next_.Truncate(1);
    threads_[0] = Record();
    next_[0] = Operation();
    tick_ = communications_ = unproductive_ticks_ = livelock_ticks_ = idle_since_ = 0;
    sleep_end_ = kNever;
    last_ = kNoThread;
    GoOnWith(strategy);
  }

  //===-- The life of threads ---------------------------------------------===//

  ThreadId Create() {
    ThreadId thread = ThreadId(threads_.Size());
    threads_.Push(Record());
    next_.Push(Operation());
    enabled_.Add(thread);
    strategy_->Begin(thread);
    live_++;
    return thread;
  }
  // Whoever waits for the thread is woken.
  void Finish(ThreadId thread) {
    Require(threads_[thread].status == ThreadStatus::kEnabled);
    enabled_.Remove(thread);
    threads_[thread].status = ThreadStatus::kFinished;
    strategy_->End(thread);
    live_--;
    WakeAll(WaitKind::kThread, uptr(thread) + 1);
  }
  // The thread is no more, whatever it was doing: its process has died, or ends. Who waits for
  // something that it holds goes on, to find out what the system has made of it.
  void Remove(ThreadId thread) {
    switch (threads_[thread].status) {
    case ThreadStatus::kFinished:
      return;
    case ThreadStatus::kBlocked:
      EndWait(thread, Outcome::kWoken);
      break;
    case ThreadStatus::kKernel:
      LeaveKernel(thread);
      break;
    case ThreadStatus::kEnabled:
      break;
    }
    Finish(thread);
    WakeWaitersOf(thread);
  }
  // The thread has ended with locks. Who waits for one goes on, to find out what the system has
  // made of it: a robust one it gives to the next.
  void WakeWaitersOf(ThreadId thread) {
    for (u32 i = 0; i < blocked_.Size();) {
      if (WaitsForLockOf(blocked_[i], thread))
        Unblock(i, Outcome::kWoken);
      else
        i++;
    }
  }
  // All threads but one are gone, as in the child of a fork.
  void KeepOnly(ThreadId thread) {
    for (ThreadId t = 0; t < threads_.Size(); t++) {
      ThreadStatus &status = threads_[t].status;
      if (t == thread || status == ThreadStatus::kFinished)
        continue;
      if (status == ThreadStatus::kEnabled)
        enabled_.Remove(t);
      if (status == ThreadStatus::kKernel)
        in_kernel_--;
      status = ThreadStatus::kFinished;
      strategy_->End(t);
      live_--;
    }
    blocked_.Clear();
    next_deadline_ = WaitFor::kNoDeadline;
  }

  //===-- Waiting ---------------------------------------------------------===//

  // The thread waits. It may remain enabled, if the wait is to end by itself: see
  // OutcomeOf() when its turn has come again.
  void Block(ThreadId thread, const WaitFor &wait) {
    Record &record = threads_[thread];
    Require(record.status == ThreadStatus::kEnabled);
    record.wait = wait;
    record.since = tick_;
    if (wait.may_be_spurious && choices_.Choose(ChoiceKind::kSpurious, 2)) {
      record.outcome = Outcome::kSpurious;
      return;
    }
    if (wait.deadline <= now_ || (!options_.real_time && IsSoon(wait.deadline) &&
                                  choices_.Choose(ChoiceKind::kTimeout, 2))) {
      record.outcome = Outcome::kTimedOut;
      if (wait.deadline > now_ && enabled_.Count() == 1)
        TimePasses();
      PassTo(wait.deadline);
      return;
    }
    record.status = ThreadStatus::kBlocked;
    enabled_.Remove(thread);
    blocked_.Push(thread);
    next_deadline_ = wait.deadline < next_deadline_ ? wait.deadline : next_deadline_;
    if (wait.kind == WaitKind::kTime && sleep_end_ == kNever)
      sleep_end_ = tick_ + options_.sleep_ticks;
  }

  // One of those who wait for the object goes on. Returns it, or kNoThread.
  ThreadId WakeOne(WaitKind kind, uptr object, u32 bits = ~0u) {
    u32 waiters = Waiters(kind, object, bits);
    if (!waiters)
      return kNoThread;
    u32 choice = choices_.Choose(ChoiceKind::kWake, waiters);
    for (u32 i = 0;; i++)
      if (WaitsFor(blocked_[i], kind, object, bits) && choice-- == 0)
        return Unblock(i, Outcome::kWoken);
  }
  // All of them. Returns their number.
  u32 WakeAll(WaitKind kind, uptr object) {
    u32 woken = 0;
    for (u32 i = 0; i < blocked_.Size();) {
      if (WaitsFor(blocked_[i], kind, object)) {
        Unblock(i, Outcome::kWoken);
        woken++;
      } else {
        i++;
      }
    }
    return woken;
  }
  // They go on as waiters for another object (FUTEX_REQUEUE). Returns their number.
  u32 Requeue(WaitKind kind, uptr from, uptr to, u32 most) {
    u32 moved = 0;
    for (u32 i = 0; i < blocked_.Size() && moved < most; i++) {
      if (WaitsFor(blocked_[i], kind, from)) {
        threads_[blocked_[i]].wait.object = to;
        moved++;
      }
    }
    return moved;
  }
  // A blocked thread goes on because of a signal, or because its time has come.
  // False if it is not blocked.
  bool Interrupt(ThreadId thread) { return EndWait(thread, Outcome::kInterrupted); }
  // It goes on to look whether what it waits for has been changed by somebody outside.
  bool Retry(ThreadId thread) { return EndWait(thread, Outcome::kWoken); }
  bool Expire(ThreadId thread) { return EndWait(thread, Outcome::kTimedOut); }
  Outcome OutcomeOf(ThreadId thread) const { return threads_[thread].outcome; }
  u32 Waiters(WaitKind kind, uptr object, u32 bits = ~0u) const {
    u32 waiters = 0;
    for (u32 i = 0; i < blocked_.Size(); i++)
      waiters += WaitsFor(blocked_[i], kind, object, bits);
    return waiters;
  }

  //===-- Away ------------------------------------------------------------===//

  void EnterKernel(ThreadId thread) {
    Require(threads_[thread].status == ThreadStatus::kEnabled);
    threads_[thread].status = ThreadStatus::kKernel;
    enabled_.Remove(thread);
    in_kernel_++;
  }
  void LeaveKernel(ThreadId thread) {
    Require(threads_[thread].status == ThreadStatus::kKernel);
    threads_[thread].status = ThreadStatus::kEnabled;
    enabled_.Add(thread);
    in_kernel_--;
    unproductive_ticks_ = livelock_ticks_ = 0;
  }

  //===-- Locks, for reports ----------------------------------------------===//

  // A lock may be held more than once, and by several threads.
  void Hold(uptr object, ThreadId thread) { holders_.Add(object, thread); }
  void LetGo(uptr object, ThreadId thread) { holders_.Drop(object, thread); }
  ThreadId HolderOf(uptr object) const { return holders_.Of(object); }
  // Nobody here holds those of which none_holds(object) says so.
  template <class NoneHolds> void LetGoIf(NoneHolds none_holds) { holders_.DropIf(none_holds); }

  // Whether the thread, which waits for a lock, waits for itself in the end. Then
  // so does each thread on the way: WaitsForThread() leads from one to the next.
  bool InCycle(ThreadId thread) const {
    ThreadId at = thread;
    for (u32 steps = 0; steps <= blocked_.Size(); steps++) {
      at = WaitsForThread(at);
      if (at == kNoThread)
        return false;
      if (at == thread)
        return true;
    }
    return false;
  }
  // Whom a blocked thread waits for, if that is known; of several, the first.
  ThreadId WaitsForThread(ThreadId thread) const {
    const Record &record = threads_[thread];
    if (record.status != ThreadStatus::kBlocked || record.wait.deadline != WaitFor::kNoDeadline)
      return kNoThread;
    if (IsLock(record.wait.kind))
      return holders_.Of(record.wait.object);
    switch (record.wait.kind) {
    case WaitKind::kThread:
      return ThreadId(record.wait.object - 1);
    default:
      return kNoThread;
    }
  }

  //===-- Operations ------------------------------------------------------===//

  void Announce(ThreadId thread, const Operation &operation) { next_[thread] = operation; }

  // The thread has performed an operation. `productive`: something is different now.
  // Neither a failed attempt is, nor a store of the value that is there already.
  void Ran(ThreadId thread, const Operation &operation, bool productive) {
    Record &record = threads_[thread];
    tick_++;
    now_ += options_.nanoseconds_per_tick;
    record.operations++;
    record.last_tick = tick_;
    communications_ += Communicates(operation.kind);
    strategy_->Ran(thread, operation);
    // An annotation does not tell whether anything else has changed. A loop that waits may
    // have one, and must let others go on; but it is no sign of a livelock.
    const bool annotates =
        operation.kind == OperationKind::kRelease || operation.kind == OperationKind::kFiber;
    if (productive && !annotates) {
      unproductive_ticks_ = livelock_ticks_ = 0;
      record.unproductive = record.repeats = record.looks = 0;
    } else {
      if (!livelock_ticks_)
        idle_since_ = tick_ - 1;
      livelock_ticks_ += IsForAnyLoop(operation.kind) ? 1 : options_.wait_counts;
      if (annotates)
        livelock_ticks_ = 0;
      const u64 ticks = IsSoon(next_deadline_) ? options_.timeout_ticks : options_.patience_ticks;
      if (++unproductive_ticks_ % ticks == 0)
        ExpireEarliest();
      if (++record.unproductive >= options_.unproductive_operations)
        record.yields = true;
    }
    if (operation.kind == OperationKind::kSleep || operation.kind == OperationKind::kYield)
      record.yields = true;
    if (operation.kind == OperationKind::kSleep)
      record.looks = 0;
  }
  // The thread has loaded a value, also by a read-modify-write: a loop that waits for
  // another thread is noticed by this. Before or after Ran.
  void Loaded(ThreadId thread, uptr object, u64 value) {
    Record &record = threads_[thread];
    if (record.IsNewLoad(object, value))
      livelock_ticks_ = 0;
    if (record.loaded_object != object || record.loaded_value != value) {
      record.loaded_object = object;
      record.loaded_value = value;
      record.repeats = 0;
    } else if (++record.repeats >= options_.repeated_loads) {
      record.yields = true;
    }
  }

  // Who is next, after an operation of `last`? That may be kNoThread.
  Decision Next(ThreadId last) {
    last_ = last;
    TellYield();
    if (tick_ >= sleep_end_)
      EndLongSleeps();
    while (next_deadline_ <= now_ && ExpireEarliest()) {
    }
    if (enabled_.Empty()) {
      if (in_kernel_ || !ExpireEarliest())
        return {in_kernel_ || blocked_.Empty() || AwaitsRealTime() ? Decision::kIdle
                                                                   : Decision::kDeadlock,
                kNoThread};
      TimePasses();
    }
    enabled_.SetCurrent(last_);
    if (options_.first_come && strategy_->FirstCome() && enabled_.Count() > 1)
      return {Decision::kFirstCome, kNoThread};
    if (livelock_ticks_ > options_.still_ticks && tick_ % options_.still_turn &&
        enabled_.Contains(last_))
      chooser_.Force(enabled_.IndexOf(last_));
    const u32 next = Ask();
    chooser_.Unforce();
    return {Decision::kRun, enabled_[next]};
  }
  // After Decision::kFirstCome. Threads that have become enabled since then are
  // among the options, as if they had been before.
  void Took(ThreadId thread) {
    enabled_.SetCurrent(last_);
    chooser_.Force(enabled_.IndexOf(thread));
    Ask();
    chooser_.Unforce();
  }

  // Nobody has changed anything for so long that it looks as if nobody ever will.
  bool Livelocked() const {
    return livelock_ticks_ > options_.livelock_ticks && !in_kernel_ && !AwaitsRealTime() &&
           AllHadTurns();
  }
  // But something may come from outside of the schedule.
  void ExpectInput() { unproductive_ticks_ = livelock_ticks_ = 0; }

  //===-- State -----------------------------------------------------------===//

  u64 Ticks() const { return tick_; }
  u64 Now() const { return now_; } // logical nanoseconds since the beginning
  // Time passes that nobody spends: a sleep, or a wait in the kernel.
  void Sleep(u64 nanoseconds) { now_ += nanoseconds; }
  // When the earliest timed wait ends.
  u64 NextDeadline() const { return next_deadline_; }
  // It is at least this time.
  void PassTo(u64 time) { now_ = time > now_ && time != WaitFor::kNoDeadline ? time : now_; }
  // The thread looks at the clock, before Ran. One that does nothing else may wait for time to
  // pass, so it does, faster and faster: a second after 1,000 looks, an hour after 60,000. It may
  // as well put times to what it does, as an event loop that calls the handlers of many timers:
  // a hundred looks take well below a millisecond.
  void LookedAtClock(ThreadId thread) {
    constexpr u32 kSameStep = 64, kMostDoublings = 16;
    const u32 doublings = threads_[thread].looks++ / kSameStep;
    if (doublings)
      Sleep(options_.nanoseconds_per_tick
            << (doublings < kMostDoublings ? doublings : kMostDoublings));
  }
  u32 Threads() const { return u32(threads_.Size()); }
  u32 Live() const { return live_; }
  u32 InKernel() const { return in_kernel_; }
  ThreadStatus StatusOf(ThreadId thread) const { return threads_[thread].status; }
  const WaitFor &WaitOf(ThreadId thread) const { return threads_[thread].wait; }
  const EnabledSet<Memory> &Enabled() const { return enabled_; }
  const Growable<ThreadId, Memory> &Blocked() const { return blocked_; }
  const Operation &NextOf(ThreadId thread) const { return next_[thread]; }
  // How many it has performed: what StrategyOptions::thread_events is made of.
  u64 OperationsOf(ThreadId thread) const { return threads_[thread].operations; }
  // Of all operations, those that can communicate: StrategyOptions::events of pctwm.
  u64 Communications() const { return communications_; }

private:
  static constexpr u64 kNever = ~0ull; // a tick

  struct Record {
    ThreadStatus status = ThreadStatus::kEnabled;
    Outcome outcome = Outcome::kWoken;
    WaitFor wait;  // of the last wait
    u64 since = 0; // the tick it began
    u64 operations = 0;
    u64 last_tick = 0; // of its last operation
    // The last load, and how often it has been repeated.
    uptr loaded_object = 0;
    u64 loaded_value = 0;
    u32 repeats = 0;
    u32 unproductive = 0; // operations in a row
    u32 looks = 0;        // at the clock, with nothing productive in between
    bool yields = false;  // and the strategy has not been told

    // Who waits in a loop looks at the same few values again and again.
    static constexpr u32 kSeen = 8;
    struct Load {
      uptr object;
      u64 value;
    };
    Load seen[kSeen] = {};
    u32 next_seen = 0;
    bool IsNewLoad(uptr object, u64 value) {
      for (const Load &load : seen)
        if (load.object == object && load.value == value)
          return false;
      seen[next_seen++ % kSeen] = {object, value};
      return true;
    }
  };

  u32 Ask() {
    chooser_.Show(&enabled_, {next_.Data()});
    return choices_.Choose(ChoiceKind::kThread, enabled_.Count());
  }
  // Where who comes first goes first, one that computes, or that the system does not run, may be
  // the one that all others wait for.
  bool AllHadTurns() const {
    for (u32 i = 0; i < enabled_.Count(); i++)
      if (threads_[enabled_[i]].last_tick <= idle_since_)
        return !strategy_->FirstCome();
    return true;
  }
  bool IsSoon(u64 deadline) const {
    return deadline != WaitFor::kNoDeadline && deadline - now_ <= options_.soon;
  }
  void TellYield() {
    if (last_ == kNoThread || !threads_[last_].yields)
      return;
    Record &record = threads_[last_];
    record.yields = false;
    record.unproductive = record.repeats = 0;
    if (record.status != ThreadStatus::kFinished)
      strategy_->Yielded(last_);
  }

  // What is held by a thread.
  static bool IsLock(WaitKind kind) {
    return kind == WaitKind::kMutex || kind == WaitKind::kRwLock || kind == WaitKind::kSpinLock ||
           kind == WaitKind::kOnce;
  }
  bool WaitsForLockOf(ThreadId thread, ThreadId holder) const {
    const WaitFor &wait = threads_[thread].wait;
    return IsLock(wait.kind) && holders_.IsOf(wait.object, holder);
  }
  bool WaitsFor(ThreadId thread, WaitKind kind, uptr object, u32 bits = ~0u) const {
    const WaitFor &wait = threads_[thread].wait;
    return wait.kind == kind && wait.object == object && (wait.bits & bits);
  }
  ThreadId Unblock(u32 index, Outcome outcome) {
    ThreadId thread = blocked_[index];
    for (u32 i = index; i + 1 < blocked_.Size(); i++)
      blocked_[i] = blocked_[i + 1];
    blocked_.Pop();
    threads_[thread].status = ThreadStatus::kEnabled;
    threads_[thread].outcome = outcome;
    enabled_.Add(thread);
    if (threads_[thread].wait.deadline == next_deadline_)
      FindNextDeadline();
    return thread;
  }
  void FindNextDeadline() {
    next_deadline_ = WaitFor::kNoDeadline;
    for (u32 i = 0; i < blocked_.Size(); i++) {
      u64 deadline = threads_[blocked_[i]].wait.deadline;
      next_deadline_ = deadline < next_deadline_ ? deadline : next_deadline_;
    }
  }
  bool EndWait(ThreadId thread, Outcome outcome) {
    for (u32 i = 0; i < blocked_.Size(); i++) {
      if (blocked_[i] == thread) {
        Unblock(i, outcome);
        if (outcome == Outcome::kTimedOut)
          PassTo(threads_[thread].wait.deadline);
        return true;
      }
    }
    return false;
  }
  // The time of whoever has slept for long enough has come.
  void EndLongSleeps() {
    sleep_end_ = kNever;
    for (u32 i = 0; i < blocked_.Size() && sleep_end_ == kNever; i++) {
      const Record &record = threads_[blocked_[i]];
      if (record.wait.kind != WaitKind::kTime)
        continue;
      if (record.since + options_.sleep_ticks <= tick_)
        PassTo(record.wait.deadline);
      else
        sleep_end_ = record.since + options_.sleep_ticks; // they began in this order
    }
  }
  // Whether a timed wait will end when the system's clock says so.
  bool AwaitsRealTime() const {
    return options_.real_time && next_deadline_ != WaitFor::kNoDeadline;
  }
  // All wait, and one of them until now: that is no loop that gets nothing done. Meanwhile somebody
  // outside may do something, and if only end the program.
  void TimePasses() { livelock_ticks_ = 0; }

  // Nothing can happen before the earliest deadline: it comes.
  bool ExpireEarliest() {
    if (options_.real_time)
      return false;
    u32 earliest = u32(blocked_.Size());
    for (u32 i = 0; i < blocked_.Size(); i++) {
      u64 deadline = threads_[blocked_[i]].wait.deadline;
      if (deadline != WaitFor::kNoDeadline &&
          (earliest == blocked_.Size() || deadline < threads_[blocked_[earliest]].wait.deadline))
        earliest = i;
    }
    if (earliest == blocked_.Size())
      return false;
    return EndWait(blocked_[earliest], Outcome::kTimedOut);
  }

  Strategy<Memory> *strategy_;
  StrategyChooser<Memory> &chooser_;
  ChoiceStream &choices_;
  const SchedulerOptions options_;
  Growable<Record, Memory> threads_;
  Growable<Operation, Memory> next_; // by thread: what it is about to do
  EnabledSet<Memory> enabled_;
  Growable<ThreadId, Memory> blocked_; // in the order in which they began to wait
  Holders<Memory> holders_;
  u32 live_ = 0, in_kernel_ = 0;
  u64 tick_ = 0, now_ = 0;
  u64 communications_ = 0;
  u64 next_deadline_ = WaitFor::kNoDeadline; // of those that are blocked
  u64 sleep_end_ = kNever;                   // the tick at which the longest sleep ends, or before
  u64 unproductive_ticks_ = 0;
  u64 livelock_ticks_ = 0;
  u64 idle_since_ = 0;        // the tick since which they are counted
  ThreadId last_ = kNoThread; // whose operation was the last
};

} // namespace __heddle

#endif // HEDDLE_SCHEDULE_SCHEDULER_H
