// Programs that exist on paper only, run against heddle/schedule the way that the
// runtime runs real ones, without a thread. The simulator keeps a model of its own
// of what the program's objects are like, and checks the scheduler against it at
// each tick:
//
// - it is one thread's turn, and that thread is neither blocked nor away nor gone;
// - the threads that are blocked are those that the program blocks, and each
//   wake-up has a cause: another thread's operation, a time limit, or that the wait
//   may end for no reason;
// - a deadlock is reported if and only if no thread can go on, seen from the state of
//   the program's locks, semaphores and so on;
// - a livelock is reported only if each thread is stuck or in a loop that waits.

#ifndef HEDDLE_TEST_UNIT_SCHEDULE_SIMULATOR_H
#define HEDDLE_TEST_UNIT_SCHEDULE_SIMULATOR_H

#include "heddle/choice/replayer.h"
#include "heddle/schedule/scheduler.h"
#include "heddle/schedule/strategies.h"

#include "choice_testing.h"

#include <gtest/gtest.h>

#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace __heddle::testing_schedule {

using Memory = testing_choice::CountingMemory;
using testing_choice::Log;

enum class Code {
  kLoad,          // of a location
  kStore,         // value
  kRmw,           // adds value
  kFence,         //
  kSpinUntil,     // loads until the location has the value
  kSpinYield,     // the same, with a yield after each load
  kSpinEither,    // loads this location and the next in turn, until one is not 0
  kSpinLock,      // exchanges 1 until it gets 0
  kLock,          // mutex
  kTryLock,       //
  kTimedLock,     // value: nanoseconds
  kUnlock,        // if held
  kCondWait,      // value: the mutex; if held
  kTimedCondWait, // the same, 1 ms
  kSignal,
  kBroadcast,
  kSemWait,
  kTimedSemWait, // value: nanoseconds
  kSemPost,
  kBarrier,
  kFutexWait, // if the location has the value
  kFutexWake, // value: how many
  kSleep,     // value: nanoseconds
  kYield,
  kKernel, // value: ticks, about
  kCreate, // object: index of the thread in the program
  kJoin,
  kInterrupt,
};

struct Instruction {
  Code code;
  u32 object = 0;
  u64 value = 0;
};
using Body = std::vector<Instruction>;

struct Program {
  std::vector<Body> bodies; // the first is main's; each is created once at most
  u32 parties = 2;          // of each barrier
};

struct Event {
  u64 tick;
  ThreadId thread;
  OperationKind kind;
  uptr object;

  bool operator==(const Event &other) const {
    return tick == other.tick && thread == other.thread && kind == other.kind &&
           object == other.object;
  }
};
inline std::ostream &operator<<(std::ostream &out, const Event &event) {
  return out << event.tick << ": " << event.thread << ' ' << NameOf(event.kind) << ' '
             << event.object;
}

// What comes from outside: a thread is back from the kernel, or its time has come
// while others are away.
struct Input {
  u64 tick;
  ThreadId thread;
  bool expires;
};

enum class Ending { kFinished, kDeadlock, kLivelock, kTooLong, kBroken };

struct Result {
  Ending ending = Ending::kBroken;
  std::vector<Event> trace;
  std::vector<Input> inputs;
  std::vector<u64> values;     // of locations, at the end
  std::vector<u64> operations; // by thread
};

struct Conditions {
  StrategyKind strategy = StrategyKind::kRandom;
  StrategyOptions options;
  SchedulerOptions scheduler;
  u64 outside = 0; // seed of what comes from outside: arrivals, kernel
  u64 most_ticks = 100000;

  Conditions() {
    scheduler.timeout_ticks = 32;
    scheduler.livelock_ticks = 4000;
    scheduler.wait_counts = 1;
    scheduler.soon = WaitFor::kNoDeadline;
  }
};

class Simulator {
public:
  // With a log that is filled, or with one that is replayed, and the inputs of the
  // run that it is the log of.
  static Result Record(const Program &program, const Conditions &conditions, Log &log) {
    AnyStrategy<Memory> strategy(conditions.strategy, conditions.options);
    StrategyChooser<Memory> chooser(strategy.Get(), conditions.options.seed);
    LogRecorder<Memory> recorder(log);
    ChoiceStream choices(chooser, &recorder);
    return Simulator(program, conditions, strategy.Get(), chooser, choices, nullptr).Run();
  }
  static Result Run(const Program &program, const Conditions &conditions) {
    Log log;
    return Record(program, conditions, log);
  }
  static Result Replay(const Program &program, Conditions conditions, const Log &log,
                       const std::vector<Input> &inputs) {
    AnyStrategy<Memory> strategy(conditions.strategy, conditions.options);
    StrategyChooser<Memory> chooser(strategy.Get(), conditions.options.seed);
    Replayer replayer(log.View(), {});
    ChoiceStream choices(replayer);
    conditions.scheduler.first_come = false;
    Result result = Simulator(program, conditions, strategy.Get(), chooser, choices, &inputs).Run();
    replayer.Finish();
    EXPECT_FALSE(replayer.Diverged()) << "at choice " << replayer.Where().index;
    return result;
  }

private:
  struct Thread {
    u32 body;
    u32 at = 0; // index of the instruction
    u32 phase = 0;
    bool started = false;
    bool waits = false;   // has called Block, and not had its turn since
    bool blocked = false; // ... and nothing has ended the wait yet
    bool in_kernel = false;
    bool finished = false;
    u64 leaves = 0; // the kernel, at this tick
    WaitFor wait;
    Outcome outcome = Outcome::kWoken; // as far as the simulator has caused it
  };

  Simulator(const Program &program, const Conditions &conditions, Strategy<Memory> &strategy,
            StrategyChooser<Memory> &chooser, ChoiceStream &choices,
            const std::vector<Input> *inputs)
      : program_(program), conditions_(conditions), strategy_(strategy),
        scheduler_(strategy, chooser, choices, conditions.scheduler), replayed_(inputs),
        outside_(conditions.outside, 1000), thread_of_(program.bodies.size(), kNoThread) {}

  Result Run() {
    result_.ending = Ending::kFinished;
    Create(0);
    ThreadId last = 0;
    while (result_.ending == Ending::kFinished) {
      ThreadId thread = Next(last);
      if (thread == kNoThread)
        break;
      Turn(thread);
      Audit();
      last = thread;
      if (scheduler_.Livelocked()) {
        for (ThreadId t = 0; t < threads_.size(); t++)
          Check(threads_[t].finished || !CanGoOn(t) || Spins(t), "not a livelock");
        result_.ending = Ending::kLivelock;
      } else if (scheduler_.Ticks() >= conditions_.most_ticks) {
        result_.ending = Ending::kTooLong;
      }
    }
    for (u32 i = 0; i < 8; i++)
      result_.values.push_back(values_[i]);
    for (ThreadId t = 0; t < threads_.size(); t++)
      result_.operations.push_back(scheduler_.OperationsOf(t));
    return result_;
  }

  void Check(bool holds, const char *what) {
    if (holds || result_.ending == Ending::kBroken)
      return;
    ADD_FAILURE() << what << " at tick " << scheduler_.Ticks() << ", strategy "
                  << NameOf(conditions_.strategy) << ", seed " << conditions_.options.seed;
    result_.ending = Ending::kBroken;
  }

  //===-- Decisions -------------------------------------------------------===//

  // kNoThread when the run has ended.
  ThreadId Next(ThreadId last) {
    TakeInputs();
    for (;;) {
      u32 away = scheduler_.InKernel();
      Decision decision = scheduler_.Next(last);
      NoticeTimeouts();
      bool stuck = Stuck();
      // Threads that are awake but will find nothing changed get their turns first.
      stuck_for_ = stuck ? stuck_for_ + 1 : 0;
      Check(stuck_for_ <= 2 * threads_.size(), "a deadlock goes unnoticed");
      switch (decision.kind) {
      case Decision::kRun:
        CheckTurn(decision.thread, last);
        return decision.thread;
      case Decision::kFirstCome: {
        Check(strategy_.FirstCome() && conditions_.scheduler.first_come, "first come");
        if (outside_.Below(4) == 0)
          LeaveKernel(true);
        ThreadId thread = scheduler_.Enabled()[outside_.Below(scheduler_.Enabled().Count())];
        scheduler_.Took(thread);
        CheckTurn(thread, last);
        return thread;
      }
      case Decision::kIdle:
        if (!scheduler_.Live())
          return kNoThread;
        Check(away != 0, "idle, but nobody is in the kernel");
        Check(!replayed_, "idle in a replay: an input is missing");
        if (result_.ending == Ending::kBroken || !WaitOutside())
          return kNoThread;
        break;
      case Decision::kDeadlock:
        Check(stuck, "not a deadlock");
        if (result_.ending == Ending::kFinished)
          result_.ending = Ending::kDeadlock;
        return kNoThread;
      }
    }
  }

  void CheckTurn(ThreadId thread, ThreadId last) {
    const EnabledSet<Memory> &enabled = scheduler_.Enabled();
    Check(thread < threads_.size() && enabled.Contains(thread), "the turn of no thread");
    Check(scheduler_.StatusOf(thread) == ThreadStatus::kEnabled, "a turn of a disabled thread");
    Check(!threads_[thread].blocked && !threads_[thread].in_kernel && !threads_[thread].finished,
          "a turn of a thread that cannot run");
    // The order of the options.
    u32 first = enabled.Contains(last) ? 1 : 0;
    Check(!first || enabled[0] == last, "the last thread is not the first option");
    for (u32 i = first + 1; i < enabled.Count(); i++)
      Check(enabled[i - 1] < enabled[i], "options out of order");
  }

  //===-- Outside ---------------------------------------------------------===//

  void TakeInputs() {
    if (!replayed_)
      return LeaveKernel(false);
    for (; next_input_ < replayed_->size(); next_input_++) {
      const Input &input = (*replayed_)[next_input_];
      if (input.tick != scheduler_.Ticks())
        return;
      Apply(input);
    }
  }
  // Those whose time it is, or one of them at once.
  void LeaveKernel(bool now) {
    for (ThreadId t = 0; t < threads_.size(); t++) {
      if (threads_[t].in_kernel && (now || threads_[t].leaves <= scheduler_.Ticks())) {
        Apply({scheduler_.Ticks(), t, false});
        if (now)
          return;
      }
    }
  }
  // Somebody comes back, or somebody's time is over.
  bool WaitOutside() {
    std::vector<Input> possible;
    for (ThreadId t = 0; t < threads_.size(); t++) {
      if (threads_[t].in_kernel)
        possible.push_back({scheduler_.Ticks(), t, false});
      if (threads_[t].blocked && threads_[t].wait.deadline != WaitFor::kNoDeadline)
        possible.push_back({scheduler_.Ticks(), t, true});
    }
    if (possible.empty())
      return false;
    Apply(possible[outside_.Below(u32(possible.size()))]);
    return true;
  }
  void Apply(const Input &input) {
    Thread &thread = threads_[input.thread];
    result_.inputs.push_back(input);
    if (input.expires) {
      Check(scheduler_.Expire(input.thread), "a blocked thread cannot expire");
      Unblock(input.thread, Outcome::kTimedOut);
    } else {
      Check(thread.in_kernel, "back from the kernel without having been there");
      scheduler_.LeaveKernel(input.thread);
      thread.in_kernel = false;
    }
  }

  //===-- The program's objects -------------------------------------------===//

  static uptr Address(u32 type, u32 index) { return 0x1000 * (type + 1) + 8 * index; }
  static uptr Location(u32 i) { return Address(0, i); }
  static uptr Mutex(u32 i) { return Address(1, i); }
  static uptr Condition(u32 i) { return Address(2, i); }
  static uptr Semaphore(u32 i) { return Address(3, i); }
  static uptr BarrierOf(u32 i) { return Address(4, i); }

  const Instruction *InstructionOf(const Thread &thread) const {
    const Body &body = program_.bodies[thread.body];
    return thread.at < body.size() ? &body[thread.at] : nullptr;
  }
  bool Owned(u32 mutex) const { return owners_.count(mutex) != 0; }
  bool OwnedBy(u32 mutex, ThreadId thread) const {
    return Owned(mutex) && owners_.at(mutex) == thread;
  }

  // What the thread is about to do.
  Operation Pending(ThreadId t) const {
    const Thread &thread = threads_[t];
    const Instruction *i = InstructionOf(thread);
    if (!thread.started)
      return {OperationKind::kThreadStart, 0};
    if (!i)
      return {OperationKind::kThreadExit, 0};
    switch (i->code) {
    case Code::kLoad:
    case Code::kSpinUntil:
      return {OperationKind::kLoad, Location(i->object)};
    case Code::kSpinYield:
      return thread.phase ? Operation{OperationKind::kYield, 0}
                          : Operation{OperationKind::kLoad, Location(i->object)};
    case Code::kSpinEither:
      return {OperationKind::kLoad, Location(i->object + thread.phase)};
    case Code::kStore:
      return {OperationKind::kStore, Location(i->object)};
    case Code::kRmw:
    case Code::kSpinLock:
      return {OperationKind::kRmw, Location(i->object)};
    case Code::kFence:
      return {OperationKind::kFence, 0};
    case Code::kLock:
    case Code::kTimedLock:
      return {OperationKind::kLock, Mutex(i->object)};
    case Code::kTryLock:
      return {OperationKind::kTryLock, Mutex(i->object)};
    case Code::kUnlock:
      return {OperationKind::kUnlock, Mutex(i->object)};
    case Code::kCondWait:
    case Code::kTimedCondWait:
      return thread.phase ? Operation{OperationKind::kLock, Mutex(u32(i->value))}
                          : Operation{OperationKind::kCondWait, Condition(i->object)};
    case Code::kSignal:
      return {OperationKind::kCondSignal, Condition(i->object)};
    case Code::kBroadcast:
      return {OperationKind::kCondBroadcast, Condition(i->object)};
    case Code::kSemWait:
    case Code::kTimedSemWait:
      return {OperationKind::kSemWait, Semaphore(i->object)};
    case Code::kSemPost:
      return {OperationKind::kSemPost, Semaphore(i->object)};
    case Code::kBarrier:
      return {OperationKind::kBarrier, BarrierOf(i->object)};
    case Code::kFutexWait:
      return {OperationKind::kFutexWait, Location(i->object)};
    case Code::kFutexWake:
      return {OperationKind::kFutexWake, Location(i->object)};
    case Code::kSleep:
      return {OperationKind::kSleep, 0};
    case Code::kYield:
      return {OperationKind::kYield, 0};
    case Code::kKernel:
      return {OperationKind::kBlockingCall, 0};
    case Code::kCreate:
      return {OperationKind::kThreadCreate, 0};
    case Code::kJoin:
      return {OperationKind::kThreadJoin, 0};
    case Code::kInterrupt:
      return {OperationKind::kThreadCancel, 0};
    }
    __builtin_unreachable();
  }

  // Whether the thread can get on, now or when its time has come, if nobody else does
  // anything. This knows the program only, not the scheduler.
  bool CanGoOn(ThreadId t) const {
    const Thread &thread = threads_[t];
    const Instruction *i = InstructionOf(thread);
    if (thread.finished)
      return false;
    if (thread.in_kernel || !thread.started || !i)
      return true;
    bool ended = thread.waits && !thread.blocked && thread.outcome != Outcome::kWoken;
    switch (i->code) {
    case Code::kLock:
      return !Owned(i->object);
    case Code::kCondWait:
      return thread.phase == 0 || (!thread.blocked && !Owned(u32(i->value))) ||
             (thread.phase == 2 && !Owned(u32(i->value)));
    case Code::kTimedCondWait:
      return thread.phase != 2 ? thread.phase == 0 || thread.blocked || !Owned(u32(i->value))
                               : !Owned(u32(i->value));
    case Code::kSemWait:
      return ended || Count(semaphores_, i->object) != 0;
    case Code::kBarrier:
    case Code::kFutexWait:
      return !thread.blocked;
    case Code::kJoin: {
      ThreadId other = thread_of_[i->object];
      return other == kNoThread || threads_[other].finished;
    }
    default:
      return true;
    }
  }
  bool Spins(ThreadId t) const {
    const Thread &thread = threads_[t];
    const Instruction *i = InstructionOf(thread);
    if (!i || !thread.started)
      return false;
    switch (i->code) {
    case Code::kSpinUntil:
    case Code::kSpinYield:
      return Count(values_, i->object) != i->value;
    case Code::kSpinEither:
      return !Count(values_, i->object) && !Count(values_, i->object + 1);
    case Code::kSpinLock:
      return Count(values_, i->object) != 0;
    default:
      return false;
    }
  }
  bool Stuck() const {
    bool live = false;
    for (ThreadId t = 0; t < threads_.size(); t++) {
      live |= !threads_[t].finished;
      if (CanGoOn(t))
        return false;
    }
    return live;
  }
  static u64 Count(const std::map<u32, u64> &map, u32 key) {
    auto found = map.find(key);
    return found == map.end() ? 0 : found->second;
  }

  //===-- Waiting ---------------------------------------------------------===//

  void Block(ThreadId t, const WaitFor &wait) {
    Thread &thread = threads_[t];
    scheduler_.Block(t, wait);
    thread.waits = true;
    thread.wait = wait;
    thread.blocked = scheduler_.StatusOf(t) == ThreadStatus::kBlocked;
    if (thread.blocked)
      return;
    thread.outcome = scheduler_.OutcomeOf(t);
    Check(thread.outcome == Outcome::kSpurious
              ? wait.may_be_spurious
              : thread.outcome == Outcome::kTimedOut && wait.deadline != WaitFor::kNoDeadline,
          "a wait ends by itself for a wrong reason");
  }
  void Unblock(ThreadId t, Outcome outcome) {
    Check(threads_[t].blocked, "woken without having waited");
    threads_[t].blocked = false;
    threads_[t].outcome = outcome;
  }
  std::vector<ThreadId> WaitersFor(WaitKind kind, uptr object) const {
    std::vector<ThreadId> waiters;
    for (ThreadId t = 0; t < threads_.size(); t++)
      if (threads_[t].blocked && threads_[t].wait.kind == kind && threads_[t].wait.object == object)
        waiters.push_back(t);
    return waiters;
  }
  bool WakeOne(WaitKind kind, uptr object) {
    std::vector<ThreadId> waiters = WaitersFor(kind, object);
    Check(scheduler_.Waiters(kind, object) == waiters.size(), "the number of waiters");
    ThreadId woken = scheduler_.WakeOne(kind, object);
    Check((woken == kNoThread) == waiters.empty(), "whether there is a waiter");
    if (woken == kNoThread)
      return false;
    bool waited = false;
    for (ThreadId waiter : waiters)
      waited |= waiter == woken;
    Check(waited, "one is woken that waits for something else");
    Unblock(woken, Outcome::kWoken);
    return true;
  }
  bool WakeAll(WaitKind kind, uptr object) {
    std::vector<ThreadId> waiters = WaitersFor(kind, object);
    Check(scheduler_.WakeAll(kind, object) == waiters.size(), "not all are woken");
    for (ThreadId waiter : waiters)
      Unblock(waiter, Outcome::kWoken);
    return !waiters.empty();
  }
  // Time limits that have come by themselves.
  void NoticeTimeouts() {
    for (ThreadId t = 0; t < threads_.size(); t++) {
      Thread &thread = threads_[t];
      if (!thread.blocked || scheduler_.StatusOf(t) == ThreadStatus::kBlocked)
        continue;
      Check(scheduler_.OutcomeOf(t) == Outcome::kTimedOut &&
                thread.wait.deadline != WaitFor::kNoDeadline,
            "a wake-up without a cause");
      Check(scheduler_.Now() >= thread.wait.deadline, "a time limit before its time");
      Unblock(t, Outcome::kTimedOut);
    }
  }

  void Audit() {
    NoticeTimeouts();
    u32 live = 0, away = 0;
    for (ThreadId t = 0; t < threads_.size(); t++) {
      const Thread &thread = threads_[t];
      ThreadStatus expected = thread.finished    ? ThreadStatus::kFinished
                              : thread.in_kernel ? ThreadStatus::kKernel
                              : thread.blocked   ? ThreadStatus::kBlocked
                                                 : ThreadStatus::kEnabled;
      Check(scheduler_.StatusOf(t) == expected, "the status of a thread");
      Check(scheduler_.Enabled().Contains(t) == (expected == ThreadStatus::kEnabled),
            "the enabled set");
      live += !thread.finished;
      away += thread.in_kernel;
      if (scheduler_.InCycle(t))
        Check(!CanGoOn(t), "a cycle with a thread that can go on");
    }
    Check(scheduler_.Live() == live && scheduler_.InKernel() == away, "the counts of threads");
    Check(scheduler_.Threads() == threads_.size(), "the number of threads");
  }

  //===-- Turns -----------------------------------------------------------===//

  void Create(u32 body) {
    ThreadId thread = scheduler_.Create();
    Check(thread == threads_.size(), "threads are numbered by creation");
    threads_.push_back({});
    threads_.back().body = body;
    thread_of_[body] = thread;
    scheduler_.Announce(thread, Pending(thread));
  }

  void Turn(ThreadId t) {
    Operation operation = Pending(t);
    Check(scheduler_.NextOf(t).kind == operation.kind &&
              scheduler_.NextOf(t).object == operation.object,
          "what a thread is about to do");
    result_.trace.push_back({scheduler_.Ticks(), t, operation.kind, operation.object});
    if (threads_[t].waits)
      Check(scheduler_.OutcomeOf(t) == threads_[t].outcome, "how a wait ended");
    bool waited = threads_[t].waits;
    threads_[t].waits = false;
    // The runtime may say that a thread has ended before or after its last operation.
    bool exits = threads_[t].started && !InstructionOf(threads_[t]);
    if (exits && t % 2)
      Exit(t);
    bool productive = exits || Perform(t, waited);
    scheduler_.Ran(t, operation, productive);
    if (exits && t % 2 == 0)
      Exit(t);
    if (late_load_) {
      scheduler_.Loaded(t, operation.object, loaded_);
      late_load_ = false;
    }
    if (!exits)
      scheduler_.Announce(t, Pending(t));
  }
  void Exit(ThreadId t) {
    std::vector<ThreadId> joiners = WaitersFor(WaitKind::kThread, uptr(t) + 1);
    scheduler_.Finish(t);
    threads_[t].finished = true;
    for (ThreadId joiner : joiners)
      Unblock(joiner, Outcome::kWoken);
  }

  // The value, which the scheduler is told before or after the operation.
  u64 Load(ThreadId t, u32 location) {
    loaded_ = values_[location];
    late_load_ = t % 2;
    if (!late_load_)
      scheduler_.Loaded(t, Location(location), loaded_);
    return loaded_;
  }
  bool Acquire(ThreadId t, u32 mutex) {
    if (Owned(mutex))
      return false;
    owners_[mutex] = t;
    scheduler_.Hold(Mutex(mutex), t);
    return true;
  }
  void Release(u32 mutex) {
    scheduler_.LetGo(Mutex(mutex), owners_[mutex]);
    owners_.erase(mutex);
    WakeOne(WaitKind::kMutex, Mutex(mutex));
  }

  // One operation of the thread. Returns whether it was productive.
  bool Perform(ThreadId t, bool waited) {
    Thread &thread = threads_[t];
    if (!thread.started)
      return thread.started = true;
    const Instruction &i = *InstructionOf(thread);
    Outcome outcome = waited ? thread.outcome : Outcome::kWoken;
    u64 now = scheduler_.Now();
    auto advance = [&](bool productive) {
      threads_[t].at++; // there may be more threads by now
      threads_[t].phase = 0;
      return productive;
    };
    auto block = [&](const WaitFor &wait) {
      Block(t, wait);
      return false;
    };
    switch (i.code) {
    case Code::kLoad:
      Load(t, i.object);
      return advance(false);
    case Code::kStore: {
      bool changes = values_[i.object] != i.value;
      values_[i.object] = i.value;
      return advance(changes);
    }
    case Code::kRmw:
      Load(t, i.object);
      values_[i.object] += i.value;
      return advance(i.value != 0);
    case Code::kFence:
      return advance(false);
    case Code::kSpinUntil:
      return Load(t, i.object) == i.value ? advance(false) : false;
    case Code::kSpinYield:
      if (thread.phase) {
        thread.phase = 0;
        return false;
      }
      if (Load(t, i.object) == i.value)
        return advance(false);
      thread.phase = 1;
      return false;
    case Code::kSpinEither:
      if (Load(t, i.object + thread.phase))
        return advance(false);
      thread.phase = 1 - thread.phase;
      return false;
    case Code::kSpinLock: {
      u64 old = values_[i.object];
      values_[i.object] = 1;
      return old ? false : advance(true);
    }
    case Code::kTryLock:
      return advance(Acquire(t, i.object));
    case Code::kLock:
      return Acquire(t, i.object) ? advance(true) : block({WaitKind::kMutex, Mutex(i.object)});
    case Code::kTimedLock:
      if (Acquire(t, i.object))
        return advance(true);
      if (outcome == Outcome::kTimedOut)
        return advance(false);
      return block({WaitKind::kMutex, Mutex(i.object), false, now + i.value});
    case Code::kUnlock: {
      bool held = OwnedBy(i.object, t);
      if (held)
        Release(i.object);
      return advance(held);
    }
    case Code::kCondWait:
    case Code::kTimedCondWait: {
      u32 mutex = u32(i.value);
      bool timed = i.code == Code::kTimedCondWait;
      if (thread.phase == 0) {
        if (!OwnedBy(mutex, t))
          return advance(false);
        thread.phase = 1;
        Release(mutex);
        Block(t, {WaitKind::kCondition, Condition(i.object), true,
                  timed ? now + 1000000 : WaitFor::kNoDeadline});
        return true;
      }
      thread.phase = 2;
      return Acquire(t, mutex) ? advance(true) : block({WaitKind::kMutex, Mutex(mutex)});
    }
    case Code::kSignal:
      return advance(WakeOne(WaitKind::kCondition, Condition(i.object)));
    case Code::kBroadcast:
      return advance(WakeAll(WaitKind::kCondition, Condition(i.object)));
    case Code::kSemWait:
    case Code::kTimedSemWait:
      if (semaphores_[i.object]) {
        semaphores_[i.object]--;
        return advance(true);
      }
      if (outcome != Outcome::kWoken)
        return advance(false);
      return block({WaitKind::kSemaphore, Semaphore(i.object), false,
                    i.code == Code::kSemWait ? WaitFor::kNoDeadline : now + i.value});
    case Code::kSemPost:
      semaphores_[i.object]++;
      WakeOne(WaitKind::kSemaphore, Semaphore(i.object));
      return advance(true);
    case Code::kBarrier:
      if (thread.phase)
        return advance(false);
      if (++arrived_[i.object] % program_.parties == 0) {
        WakeAll(WaitKind::kBarrier, BarrierOf(i.object));
        return advance(true);
      }
      thread.phase = 1;
      Block(t, {WaitKind::kBarrier, BarrierOf(i.object)});
      return true;
    case Code::kFutexWait:
      if (thread.phase || values_[i.object] != i.value)
        return advance(false);
      thread.phase = 1;
      return block({WaitKind::kFutex, Location(i.object), true});
    case Code::kFutexWake: {
      bool woken = false;
      for (u64 n = 0; n < i.value; n++)
        woken |= WakeOne(WaitKind::kFutex, Location(i.object));
      return advance(woken);
    }
    case Code::kSleep:
      scheduler_.Sleep(i.value);
      return advance(false);
    case Code::kYield:
      return advance(false);
    case Code::kKernel:
      if (thread.phase)
        return advance(true);
      thread.phase = 1;
      thread.in_kernel = true;
      thread.leaves = scheduler_.Ticks() + 1 + outside_.Below(u32(i.value + 1));
      scheduler_.EnterKernel(t);
      return true;
    case Code::kCreate:
      if (thread_of_[i.object] == kNoThread)
        Create(i.object);
      return advance(true);
    case Code::kJoin: {
      ThreadId other = thread_of_[i.object];
      if (other == kNoThread || threads_[other].finished)
        return advance(true);
      return block({WaitKind::kThread, uptr(other) + 1});
    }
    case Code::kInterrupt: {
      ThreadId other = thread_of_[i.object];
      if (other == kNoThread)
        return advance(false);
      // A barrier that is left early is no barrier.
      if (threads_[other].wait.kind == WaitKind::kBarrier)
        return advance(false);
      bool blocked = threads_[other].blocked;
      Check(scheduler_.Interrupt(other) == blocked, "whether a thread can be interrupted");
      if (blocked)
        Unblock(other, Outcome::kInterrupted);
      return advance(blocked);
    }
    }
    __builtin_unreachable();
  }

  const Program &program_;
  const Conditions conditions_;
  Strategy<Memory> &strategy_;
  Scheduler<Memory> scheduler_;
  const std::vector<Input> *replayed_;
  uptr next_input_ = 0;
  Random outside_;
  Result result_;

  std::vector<Thread> threads_;
  std::vector<ThreadId> thread_of_; // by body
  std::map<u32, u64> values_, semaphores_, arrived_;
  std::map<u32, ThreadId> owners_; // of mutexes
  u32 stuck_for_ = 0;              // decisions
  u64 loaded_ = 0;
  bool late_load_ = false;
};

} // namespace __heddle::testing_schedule

#endif // HEDDLE_TEST_UNIT_SCHEDULE_SIMULATOR_H
