//===-- heddle_control_impl.h - The schedule's state in the runtime -------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What heddle_control*.cpp, the reports and the trace share.
//
// The Scheduler is touched by one thread at a time: the one that has taken the
// turn. Whoever comes back from the kernel, is due after a timed wait or has a
// signal to handle cannot wait for that, so it puts itself on a list, which the
// holder of the turn looks through before it chooses the next thread; if the turn
// is free, the thread takes it and does so itself.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_CONTROL_IMPL_H
#define HEDDLE_RTL_CONTROL_IMPL_H

#include "heddle/rtl/heddle_control.h"
#include "heddle/rtl/heddle_demo.h"
#include "heddle/rtl/heddle_descriptors.h"
#include "heddle/rtl/heddle_group.h"
#include "heddle/rtl/heddle_turn.h"
#include "heddle/schedule/strategies.h"
#include "sanitizer_common/sanitizer_mutex.h"
#include "tsan_rtl.h"

namespace __heddle {

// Memory of the pure layers.
struct RuntimeMemory {
  static void *Alloc(uptr bytes) { return __tsan::Alloc(bytes); }
  static void Free(void *memory, uptr) { __tsan::Free(memory); }
};

using RuntimeScheduler = Scheduler<ScheduleMemory>;

// Why a thread asks to be enabled.
enum class Request : u8 { kNone, kLeaveKernel, kSignal, kExpired, kRetry };

struct PostedSignal;
struct OutsideSignals;

// With processes=together it is in memory of all processes, but what pointers in it lead to is its
// own process's.
struct ControlledThread {
  ThreadId id;
  MemberId member;          // its process
  ControlledThread *forked; // the main thread of the process that it has forked last
  __tsan::ThreadState *thr; // null before its beginning and after its end; see heddle_fibers.h
  __tsan::ThreadState *own; // likewise; the one that it began with, if it has switched to a fiber
  u32 os_id;
  int status_file; // see OpenThreadStatus
  uptr handle;     // its pthread_t, until it is joined, or has ended detached
  bool detached;
  Seat seat;

  // Of the operation that it performs or is about to perform.
  Operation operation;
  uptr pc;
  bool inside;     // between Wait and Tick
  bool busy;       // the runtime works for it: from before Wait until after Tick
  bool productive; // so far
  bool ended;
  bool blocked; // in Block
  bool deaf;    // it is about to end, and has blocked all signals; before, it had these:
  __sanitizer::__sanitizer_sigset_t signals;

  // Cancellation, see heddle_cancel.h.
  bool cancelled;   // somebody has cancelled it
  bool ending;      // it acts on it, or ends anyway
  bool async;       // it is to be cancelled at once
  bool cancel_due;  // so it was, and allowed it, at the end of its last operation
  u64 cancelled_at; // processor time that it had had
  __sanitizer::atomic_uint8_t told_to_end; // wherever it is: see TellToEnd

  u32 calls_away;    // AwayFromSchedule within each other
  bool leaving;      // it has the turn, and is about to make such a call
  bool gone;         // in such a call; a handler that is called there may come back for a while
  u64 call_limit;    // of the call: nanoseconds after which it gives up
  u64 call_deadline; // and the logical time at which that is
  bool gave_up;      // it has

  // Its time stamp counter, see heddle_timestamps.h.
  u64 time;         // logical
  u32 timestamps;   // read since its last operation
  WeakThread *weak; // until it begins

  // Sent to it by others, and not yet raised. Changed with the turn.
  PostedSignal *posted;

  u32 volatile_reads; // see heddle_volatile.cpp
  u16 *shown_clock;   // see heddle_execution.cpp

  // Written by the holder of the turn.
  __sanitizer::atomic_uint8_t away; // the scheduler has it in the kernel

  u64 blocked_until; // of a timed wait: the time on the system's clock; else 0

  // Of a recording or a replay, see heddle_demo.h.
  u64 inputs;              // calls that may bring input so far
  u64 writes;              // of these, those that write; counted when they begin
  u32 children;            // processes that it has made
  OutsideSignals *outside; // that wait for the end of the next operation; if recording
  bool in_input;           // such a call is being written down
  int created[2];          // descriptors, in a call from which it has yet to come back
  u32 created_count;
  bool in_call; // it is in such a call, and not in an operation
  u16 call;     // which one, of heddle_inputs.inc
  int raising;  // the signal that it sends itself, which is known already

  // Under Control::mutex_.
  bool arrived; // waits for its turn
  bool back;    // in a replay: it has come back, and the demo has yet to say so
  Request request;
  ControlledThread *next_request, *next_arrival;
};

// Who goes on, and what is read.
struct StrategyInUse {
  StrategyKind kind;
  StrategyOptions options;
  ReadPolicy read_policy;
};

class Control {
public:
  // `replayer`, if there is one, answers instead of the strategy.
  Control(const StrategyInUse &strategy, const SchedulerOptions &options, int time_slice_ms,
          Chooser *replayer, ChoiceRecorder *recorder);

  // Before a thread is created. The strategy begins with the first of them: what comes before
  // does not depend on it, nor on the seed, and the executions of a fork server have it in common.
  void BeforeNewThread();
  // Before executions of a fork server: what each would take of memory that has to be prepared is
  // prepared once.
  void PrepareExecutions();
  // In an execution of a fork server: this strategy is to begin. The process is a new one.
  void BeginExecution(const StrategyInUse &strategy);

  // Executions in one process, see heddle_explore.cpp. The thread becomes the first of the
  // schedule; it is the only one, and may not have been controlled before.
  void Adopt(__tsan::ThreadState *thr);
  void Dismiss(__tsan::ThreadState *thr);
  // The next execution, by the first thread, which has the turn and is the only one left. With a
  // `chooser`, that one answers instead of the strategy, and `told` is told what happens.
  void BeginAnew(const StrategyInUse &strategy, Chooser *chooser, Strategy<ScheduleMemory> *told);
  u32 ChooseValue(u32 options) { return choices_.Choose(ChoiceKind::kValue, options); }

  // Free decisions of the thread that has the turn.
  u32 ChooseRead(ThreadId thread, u32 stores, const Views &views) {
    chooser_.ShowRead(thread, views);
    return choices_.Choose(ChoiceKind::kRead, stores);
  }
  u32 ChoosePlace(u32 places) { return choices_.Choose(ChoiceKind::kPlace, places); }
  bool ChooseSpurious() { return choices_.Choose(ChoiceKind::kSpurious, 2); }

  void Wait(ControlledThread *thread, const Operation &operation, uptr pc);
  void Tick(ControlledThread *thread);
  // Tick, at the end of all that the thread does about its operation.
  void Finish(ControlledThread *thread) {
    if (UNLIKELY(async_cancels))
      LookForCancel(thread);
    if (UNLIKELY(thread->posted != nullptr || thread->gone || demo_mode != DemoMode::kOff))
      return FinishAndRaise(thread);
    TickAndGoOn(thread);
    thread->busy = false;
  }
  // Wait, where signals that have been sent to the thread are to be handled first.
  void WaitWithoutSignals(ControlledThread *thread, const Operation &operation);
  Outcome Block(ControlledThread *thread, const WaitFor &wait);
  // The thread gives up its turn without being woken again.
  void HandOver(ControlledThread *thread);
  void Leave(ControlledThread *thread, u64 limit);
  void Return(ControlledThread *thread);
  // The parts of these two: the turn before and after the call, which is between them. If it is
  // not known whether there will be a call, the thread is leaving until EnterCall.
  void PrepareToLeave(ControlledThread *thread, u64 limit);
  void EnterCall(ControlledThread *thread) {
    if (thread->leaving)
      LeaveNow(thread);
  }
  void ComeBack(ControlledThread *thread);

  void Begin(__tsan::ThreadState *main); // the first of all
  ControlledThread *Add(MemberId member = this_member);
  ControlledThread *At(ThreadId id);
  u32 Threads() const { return u32(threads_.Size()); }
  void BeforeFork();
  void AfterFork(ControlledThread *thread, bool child);
  void WakeWaitersOnShared();
  // The thread takes the turn, and keeps it for good.
  void Stop(__tsan::ThreadState *thr);

  // Of a group of processes, with the turn. The process is no more, or not in the schedule.
  void Bury(MemberId member);
  // This process leaves the schedule, and gives the turn to others.
  void LeaveGroup(bool for_another_program);
  // Calls `kill`, and waits until it has ended the process.
  template <class Kill> auto KillMember(MemberId member, Kill kill) -> decltype(kill()) {
    // It dies in none of these locks.
    __sanitizer::SpinMutexLock lock(&mutex_);
    LockGroupMemory();
    auto result = kill();
    AwaitDeath(member);
    UnlockGroupMemory();
    return result;
  }
  // The program ends with a report: all other processes are to end, too.
  void EndOthers();

  // In a replay, with the turn.
  bool LastIsAway();

  // What each thread waits for, by a thread that is not controlled.
  void ReportWaiting();

  RuntimeScheduler &scheduler() { return scheduler_; }
  const StrategyInUse &strategy() const { return in_use_; }
  StrategyKind kind() const { return in_use_.kind; }
  u64 seed() const { return in_use_.options.seed; }
  // Operations since the strategy began, and those that can communicate.
  u64 Operations() const { return scheduler_.Ticks() - ticks_before_; }
  u64 Communications() const { return scheduler_.Communications() - communications_before_; }
  Chooser &chooser() { return chooser_; }

private:
  using Mutex = __sanitizer::StaticSpinMutex;

  // Stands for a thread of this process that decides for others, and is not enabled itself.
  static constexpr ThreadId kDeciders = 1 << 30;
  static ThreadId Decider() { return kDeciders + this_member; }

  void FinishAndRaise(ControlledThread *thread);
  static void LookForCancel(ControlledThread *thread);
  void IsNewProcess(ControlledThread *thread);
  void BeginStrategy(Strategy<ScheduleMemory> &strategy);
  // The first part of Tick, and Tick for a thread that goes on to its next operation: if one
  // runs at a time it keeps the turn until then.
  void EndOperation(ControlledThread *thread);
  void TickAndGoOn(ControlledThread *thread);
  bool TakeFromKeeper(ThreadId keeper);
  void SuperviseKeeper(ControlledThread *thread, u64 tick);
  void LeaveNow(ControlledThread *thread);
  void GoAway(ControlledThread *thread);
  bool TryTake(ControlledThread *thread);
  void AwaitTurn(ControlledThread *thread);
  void Decide(ThreadId last, ThreadId self = kNoThread);
  void PassTime();
  void BeginIdleTime();
  u64 TakeIdleTime(u64 system_now);
  u64 EarliestLimit() const;
  int MillisecondsToSleep(const ControlledThread *thread) const;
  bool IsDue(const ControlledThread *thread) const;
  void Give(ThreadId to, ThreadId self);
  void Arrive(ControlledThread *thread);
  void Depart(ControlledThread *thread);
  ControlledThread *FirstArrival();
  bool Gathered(ThreadId last);
  bool AllArrived();
  void Ask(ControlledThread *thread, Request request);
  void HandleRequests();
  bool TakeReportRequest();
  void PrintWaiting();
  bool Enable(ControlledThread *thread, Request request);
  bool PlayRequests(ThreadId *last);
  bool PlayStuck(ThreadId thread);
  void SendAway(ThreadId thread);
  // In the kernel, in a loop that nobody sees, or in the program's code, where it may be cancelled.
  enum class Stuck : u8 { kNo, kSleeps, kBurns, kComputes };
  Stuck IsStuck(ThreadId other, ControlledThread *thread, u64 tick);
  bool SleepWithOpenMp(ControlledThread *thread, int milliseconds);
  bool SleepsForSlice(ThreadId other, ControlledThread *thread, u64 tick);
  bool BurnsForSlice(ThreadId other, u64 tick);
  bool ComputesForSlice(ThreadId other, u64 tick);
  void CancelThoseWhoCompute();
  void Supervise(ControlledThread *thread, u64 tick);
  void SuperviseReplay(u64 tick);
  void LookAtGroup(ControlledThread *thread);
  bool BuryDead(ControlledThread *thread);
  bool TakeFromDead(ControlledThread *thread);
  bool IsDeadHolder(ThreadId holder);
  bool AnyIsDead() const;
  bool WaitsForOthers() const;
  static void AwaitDeath(MemberId member);
  ThreadId Awaited();
  bool TakeFromAwaited(ThreadId awaited, ThreadId thread);

  StrategyInUse in_use_;
  const int time_slice_ms_;
  const bool replays_;
  AnyStrategy<ScheduleMemory> strategy_;
  StrategyChooser<ScheduleMemory> chooser_;
  ChoiceStream choices_;
  RuntimeScheduler scheduler_;
  const SchedulerOptions options_;
  bool first_come_, needs_next_;
  const bool one_at_a_time_;
  bool has_had_threads_ = false;
  u64 ticks_before_ = 0, communications_before_ = 0; // the first thread was created
  const u64 break_at_tick_;
  Growable<ControlledThread *, ScheduleMemory> threads_; // by id
  // Records of earlier executions, to be used again. Who has just ended may still look at its own.
  Growable<ControlledThread *, ScheduleMemory> spare_;
  Turn turn_;
  __sanitizer::atomic_uint64_t ticks_; // for those without the turn
  // Who is between two operations, and has the turn; or kNoThread. Who takes it from there hands
  // the turn over: the thread at its next operation, or another if it is stuck.
  __sanitizer::atomic_uint32_t keeper_;

  Mutex mutex_;
  ControlledThread *requests_ = nullptr;
  ControlledThread *arrivals_ = nullptr, **arrivals_end_ = &arrivals_;
  __sanitizer::atomic_uint32_t requests_count_;
  __sanitizer::atomic_uint32_t events_;        // requests and arrivals so far
  __sanitizer::atomic_uint32_t report_wanted_; // counts as a request
  bool gathering_ = false;                     // until all enabled threads have arrived
  // While the turn is free, or threads are gathered: whose operation the decision that
  // is put off comes after. The options have an order by that, also in a replay.
  ThreadId last_ = kNoThread;
  // In a replay: since when nothing has happened, by the clock, and at which tick.
  static constexpr u64 kPatience = 10'000'000'000;
  u64 stalled_since_ = 0, stalled_at_ = 0;
  // Who was seen to run in code that we do not see, at which tick, how far it had got, and how much
  // processor time it had had.
  Mutex asking_;
  struct {
    ThreadId thread = kNoThread;
    u64 tick = 0, progress = 0, since = 0;
  } burning_, computing_;
  // Who was seen at that tick to run in other code, and when.
  struct {
    ThreadId thread = kNoThread;
    u64 tick = 0, time = 0;
  } elsewhere_;
  // OpenMP's runtime has loops without a call, and nothing else that takes a thread so long, of its
  // processor time. So often it is looked after.
  static constexpr u64 kOpenMpLoop = 3'000'000;
  static constexpr int kOpenMpSlice = 5;
  u64 idle_since_ = 0; // on the system's clock: since then nobody could run; 0: somebody can
  // Nobody can go on but for a timer's signal, or for what other programs do to memory.
  __sanitizer::atomic_uint8_t timer_awaited_, others_awaited_;
  // Of a group: a process ends with a report.
  __sanitizer::atomic_uint8_t all_end_;
  Mutex end_mutex_;
};

extern Control *control; // if schedule_controlled

// What the system calls a thread's process.
inline u32 ProcessOf(const ControlledThread *thread) {
  return LIKELY(!processes_together) ? u32(__sanitizer::internal_getpid())
                                     : atomic_load_relaxed(&MemberAt(thread->member).process);
}
// Whether it is a thread of this process.
ALWAYS_INLINE bool IsOurs(const ControlledThread *thread) {
  return LIKELY(!processes_together) || thread->member == this_member;
}

// heddle_schedule_report.cpp
[[noreturn]] void ReportDeadlock(Control &control);
[[noreturn]] void ReportLivelock(Control &control);
// Where each thread is: the caller, and those that wait. The caller has the turn.
void PrintThreads(Control &control, const char *head);
// One that does not come to an operation, after so many seconds.
void PrintBusyThread(Control &control, ThreadId id, int seconds);

const char *CommandLine();

// Whether a timer of the system runs, and its signal may end a wait (heddle_timers.cpp).
bool TimerRuns();
// No thread can go on: whether a signal may change that. By who has the turn.
bool SignalMayCome();

// What is to be called at certain moments of the process's and its threads' lives.
void InstallThreadHandlers(ControlledThread *main);
void InstallForkHandlers();
void InstallExitHandlers();

// heddle_interceptors_signal.cpp
// The thread sends itself what has been sent to it. Outside of any operation.
void Raise(ControlledThread *thread, PostedSignal *signals);
// Whether the thread is to handle a signal, and not to wait. It has the turn.
bool SignalIsDue(const ControlledThread *thread);
// In a recording, signals from outside wait until the thread comes to the end of an
// operation; in a replay the demo has them. Either are posted then.
OutsideSignals *NewOutsideSignals();
void ForgetOutsideSignals(OutsideSignals *signals);
bool HasFromOutside(const ControlledThread *thread);
void PostFromOutside(ControlledThread *thread, u64 tick);
// Whether there is something to be posted at the end of the operation of that tick.
bool ComesFromOutside(const ControlledThread *thread, u64 tick);
// A call that may bring input. Outside of an operation signals are handled when they come, and
// those that have come before are handled first: they may be what ends the call.
class InCall {
public:
  explicit InCall(ControlledThread *thread);
  ~InCall();

private:
  ControlledThread *thread_;
  bool was_blocking_, was_in_call_; // it is in a handler that was called in such a call
};
// Those that came in the call that the thread is about to end, in a replay.
void RaiseInCall(ControlledThread *thread);

// heddle_control_liveness.cpp
// What the kernel says in /proc/self/task/<id>/status, or an empty text. Opened and closed with
// the turn, if at all.
constexpr uptr kThreadStatusSize = 2048;
void OpenThreadStatus(ControlledThread *thread);
void CloseThreadStatus(ControlledThread *thread);
void ReadThreadStatus(const ControlledThread *thread, char (&text)[kThreadStatusSize]);
void ReadStatusFile(const char *path, char (&text)[kThreadStatusSize]);

// heddle_trace.cpp
void OpenTrace(const char *path);
void TraceOperation(u64 tick, ThreadId thread, OperationKind kind);
void FlushTrace();
void AbandonTrace(); // it is the parent's
extern bool tracing;

} // namespace __heddle

#endif // HEDDLE_RTL_CONTROL_IMPL_H
