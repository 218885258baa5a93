// heddle/schedule/scheduler.h: each rule by itself, with choices that the test
// makes. How it all goes together is in schedule_simulator_test.cpp.

#include "heddle/schedule/scheduler.h"

#include "heddle/choice/replayer.h"

#include "schedule_testing.h"

#include <gtest/gtest.h>

#include <deque>
#include <string>

namespace {
using namespace __heddle;
using namespace testing_schedule;

constexpr Operation kOperation = {OperationKind::kStore, 64};
constexpr Operation kAttempt = {OperationKind::kTryLock, 64};
constexpr uptr kObject = 8, kOther = 16;

// Writes down what it is told.
class Listener final : public Strategy<Memory> {
public:
  u32 Pick(const EnabledSet<Memory> &enabled, Next next) override {
    shown = ToVector(enabled);
    next_of_first = next[enabled[0]];
    return answer;
  }
  bool FirstCome() const override { return first_come; }
  void Begin(ThreadId thread) override { Tell("begin", thread); }
  void End(ThreadId thread) override { Tell("end", thread); }
  void Ran(ThreadId thread, const Operation &operation) override {
    Tell(NameOf(operation.kind), thread);
  }
  void Yielded(ThreadId thread) override {
    yields++;
    Tell("yielded", thread);
  }

  void Tell(const char *what, ThreadId thread) {
    told += std::string(told.empty() ? "" : ", ") + what + " " + std::to_string(thread);
  }

  bool first_come = false;
  u32 answer = 0;
  std::vector<ThreadId> shown;
  Operation next_of_first;
  std::string told;
  u32 yields = 0;
};

// The thread is the strategy's to choose, all else the test's; no more answers mean 0.
class TestChooser final : public Chooser {
public:
  explicit TestChooser(StrategyChooser<Memory> &threads) : threads_(threads) {}
  u32 Choose(ChoiceKind kind, u32 options) override {
    asked += LetterOf(kind);
    if (kind == ChoiceKind::kThread)
      return threads_.Choose(kind, options);
    u32 answer = 0;
    if (!answers.empty()) {
      answer = answers.front();
      answers.pop_front();
    }
    return answer;
  }
  std::deque<u32> answers;
  std::string asked;

private:
  StrategyChooser<Memory> &threads_;
};

class SchedulerTest : public testing::Test {
protected:
  explicit SchedulerTest(const SchedulerOptions &options = Options())
      : scheduler(strategy, threads, choices, options) {
    for (int i = 0; i < 3; i++)
      scheduler.Create();
    strategy.told = "";
  }
  static SchedulerOptions Options() {
    SchedulerOptions options;
    options.nanoseconds_per_tick = 10;
    options.repeated_loads = 3;
    options.unproductive_operations = 20;
    options.timeout_ticks = 50;
    options.livelock_ticks = 16 * 1000;
    options.still_ticks = 16 * 100;
    options.sleep_ticks = 2000;
    return options;
  }

  ThreadStatus Status(ThreadId thread) { return scheduler.StatusOf(thread); }
  void Block(ThreadId thread, uptr object = kObject, u64 deadline = WaitFor::kNoDeadline) {
    scheduler.Block(thread, {WaitKind::kSemaphore, object, false, deadline});
  }
  void ExpectRuns(ThreadId thread, ThreadId last = 0) {
    Decision decision = scheduler.Next(last);
    EXPECT_EQ(decision.kind, Decision::kRun);
    EXPECT_EQ(decision.thread, thread);
  }
  void Expect(Decision::Kind kind, ThreadId last = 0) {
    EXPECT_EQ(scheduler.Next(last).kind, kind);
  }

  Listener strategy;
  StrategyChooser<Memory> threads{strategy, 1};
  TestChooser chooser{threads};
  ChoiceStream choices{chooser};
  Scheduler<Memory> scheduler;
};

//===-- Life ---------------------------------------------------------------===//

TEST_F(SchedulerTest, ThreadsAreNumberedByCreation) {
  EXPECT_EQ(scheduler.Create(), 3u);
  EXPECT_EQ(scheduler.Threads(), 4u);
  EXPECT_EQ(scheduler.Live(), 4u);
  EXPECT_EQ(ToVector(scheduler.Enabled()), (std::vector<ThreadId>{0, 1, 2, 3}));
  scheduler.Finish(1);
  EXPECT_EQ(scheduler.Live(), 3u);
  EXPECT_EQ(Status(1), ThreadStatus::kFinished);
  EXPECT_EQ(scheduler.Create(), 4u); // numbers are not used again
  EXPECT_EQ(strategy.told, "begin 3, end 1, begin 4");
}

TEST_F(SchedulerTest, AnotherStrategyIsToldWhoLives) {
  scheduler.Finish(1);
  Listener other;
  scheduler.GoOnWith(other);
  EXPECT_EQ(other.told, "begin 0, begin 2");
  scheduler.Finish(2);
  EXPECT_EQ(other.told, "begin 0, begin 2, end 2");
  EXPECT_EQ(strategy.told, "end 1");
}

TEST_F(SchedulerTest, FinishWakesThoseThatJoin) {
  scheduler.Block(0, {WaitKind::kThread, 2});
  scheduler.Block(2, {WaitKind::kThread, 1});
  EXPECT_EQ(scheduler.WaitsForThread(0), 1u);
  scheduler.Finish(1);
  EXPECT_EQ(Status(0), ThreadStatus::kEnabled);
  EXPECT_EQ(scheduler.OutcomeOf(0), Outcome::kWoken);
  EXPECT_EQ(Status(2), ThreadStatus::kBlocked);
}

TEST_F(SchedulerTest, WhenAllHaveFinishedItIsIdle) {
  for (ThreadId thread = 0; thread < 3; thread++)
    scheduler.Finish(thread);
  EXPECT_EQ(scheduler.Live(), 0u);
  Expect(Decision::kIdle, 2);
}

TEST_F(SchedulerTest, TheChildOfAFork) {
  scheduler.Create();
  Block(0);
  scheduler.EnterKernel(3);
  scheduler.KeepOnly(2);
  EXPECT_EQ(scheduler.Live(), 1u);
  EXPECT_EQ(scheduler.InKernel(), 0u);
  EXPECT_EQ(scheduler.Waiters(WaitKind::kSemaphore, kObject), 0u);
  EXPECT_EQ(ToVector(scheduler.Enabled()), (std::vector<ThreadId>{2}));
  EXPECT_EQ(scheduler.WakeOne(WaitKind::kSemaphore, kObject), kNoThread);
  ExpectRuns(2, 2);
  EXPECT_EQ(strategy.told, "begin 3, end 0, end 1, end 3");
}

//===-- Waiting ------------------------------------------------------------===//

TEST_F(SchedulerTest, BlockAndWake) {
  Block(1);
  EXPECT_EQ(Status(1), ThreadStatus::kBlocked);
  EXPECT_EQ(scheduler.WaitOf(1).object, kObject);
  EXPECT_FALSE(scheduler.Enabled().Contains(1));
  EXPECT_EQ(scheduler.WakeOne(WaitKind::kSemaphore, kOther), kNoThread);
  EXPECT_EQ(scheduler.WakeOne(WaitKind::kMutex, kObject), kNoThread);
  EXPECT_EQ(scheduler.WakeOne(WaitKind::kSemaphore, kObject), 1u);
  EXPECT_EQ(scheduler.OutcomeOf(1), Outcome::kWoken);
  EXPECT_TRUE(scheduler.Enabled().Contains(1));
  EXPECT_EQ(chooser.asked, ""); // one waiter is no choice
}

TEST_F(SchedulerTest, WhichWaiterIsAChoice) {
  Block(2);
  Block(0);
  Block(1);
  chooser.answers = {1, 0};
  EXPECT_EQ(scheduler.WakeOne(WaitKind::kSemaphore, kObject), 0u); // the second to wait
  EXPECT_EQ(scheduler.WakeOne(WaitKind::kSemaphore, kObject), 2u); // the first
  EXPECT_EQ(scheduler.WakeOne(WaitKind::kSemaphore, kObject), 1u);
  EXPECT_EQ(chooser.asked, "WW");
}

TEST_F(SchedulerTest, WakeAll) {
  Block(0);
  Block(1, kOther);
  Block(2);
  EXPECT_EQ(scheduler.WakeAll(WaitKind::kSemaphore, kObject), 2u);
  EXPECT_EQ(Status(1), ThreadStatus::kBlocked);
  EXPECT_EQ(scheduler.WakeAll(WaitKind::kSemaphore, kObject), 0u);
}

TEST_F(SchedulerTest, Requeue) {
  for (ThreadId thread = 0; thread < 3; thread++)
    scheduler.Block(thread, {WaitKind::kFutex, kObject});
  EXPECT_EQ(scheduler.Requeue(WaitKind::kFutex, kObject, kOther, 2), 2u);
  EXPECT_EQ(scheduler.Waiters(WaitKind::kFutex, kObject), 1u);
  EXPECT_EQ(scheduler.WakeOne(WaitKind::kFutex, kObject), 2u);
  EXPECT_EQ(scheduler.WakeOne(WaitKind::kFutex, kOther), 0u);
}

TEST_F(SchedulerTest, AWaitThatEndsForNoReason) {
  chooser.answers = {1};
  scheduler.Block(1, {WaitKind::kCondition, kObject, true});
  EXPECT_EQ(Status(1), ThreadStatus::kEnabled);
  EXPECT_EQ(scheduler.OutcomeOf(1), Outcome::kSpurious);
  chooser.answers = {0};
  scheduler.Block(1, {WaitKind::kCondition, kObject, true});
  EXPECT_EQ(Status(1), ThreadStatus::kBlocked);
  EXPECT_EQ(chooser.asked, "SS");
}

TEST_F(SchedulerTest, Interrupt) {
  EXPECT_FALSE(scheduler.Interrupt(1));
  Block(1);
  EXPECT_TRUE(scheduler.Interrupt(1));
  EXPECT_EQ(scheduler.OutcomeOf(1), Outcome::kInterrupted);
  EXPECT_EQ(scheduler.WakeOne(WaitKind::kSemaphore, kObject), kNoThread);
}

//===-- Time ---------------------------------------------------------------===//

TEST_F(SchedulerTest, TimePassesWithOperations) {
  scheduler.Ran(0, kOperation, true);
  scheduler.Ran(1, kOperation, true);
  EXPECT_EQ(scheduler.Ticks(), 2u);
  EXPECT_EQ(scheduler.Now(), 20u);
  scheduler.Sleep(5);
  EXPECT_EQ(scheduler.Now(), 25u);
  EXPECT_EQ(scheduler.OperationsOf(0), 1u);
  EXPECT_EQ(scheduler.OperationsOf(2), 0u);
}

TEST_F(SchedulerTest, WhatCanCommunicateIsCounted) {
  scheduler.Ran(0, {OperationKind::kLoad, kObject}, false);
  scheduler.Ran(0, {OperationKind::kStore, kObject}, true);
  scheduler.Ran(1, {OperationKind::kRmw, kObject}, true);
  scheduler.Ran(1, {OperationKind::kUnlock, kObject}, true);
  EXPECT_EQ(scheduler.Communications(), 2u);
  EXPECT_EQ(scheduler.Ticks(), 4u);
}

TEST_F(SchedulerTest, TimeGoesFasterForAThreadThatOnlyLooksAtTheClock) {
  const auto look = [&](u32 times) {
    const u64 before = scheduler.Now();
    for (u32 i = 0; i < times; i++) {
      scheduler.LookedAtClock(0);
      scheduler.Ran(0, {OperationKind::kClock, 0}, false);
    }
    return scheduler.Now() - before;
  };
  EXPECT_EQ(look(64), 64u * 10);
  EXPECT_EQ(look(64), 64u * (10 + 20));
  EXPECT_EQ(look(64), 64u * (10 + 40));
  look(64 * 13); // sixteen doublings are the most
  EXPECT_EQ(look(100), 100u * (10 + (10 << 16)));
  scheduler.Ran(0, {OperationKind::kStore, kObject}, true);
  EXPECT_EQ(look(64), 64u * 10);
}

TEST_F(SchedulerTest, ATimedWaitIsDecidedAtItsStart) {
  chooser.answers = {1};
  Block(1, kObject, 500);
  EXPECT_EQ(Status(1), ThreadStatus::kEnabled);
  EXPECT_EQ(scheduler.OutcomeOf(1), Outcome::kTimedOut);
  EXPECT_EQ(scheduler.Now(), 500u);
  EXPECT_EQ(chooser.asked, "E");
}

TEST_F(SchedulerTest, OrWaitsLikeAnyOther) {
  Block(1, kObject, 500);
  EXPECT_EQ(Status(1), ThreadStatus::kBlocked);
  scheduler.Sleep(400); // does not end it
  ExpectRuns(0);
  EXPECT_EQ(Status(1), ThreadStatus::kBlocked);
  EXPECT_EQ(scheduler.WakeOne(WaitKind::kSemaphore, kObject), 1u);
  EXPECT_EQ(scheduler.OutcomeOf(1), Outcome::kWoken);
}

TEST_F(SchedulerTest, ALimitComesWhenItsTimeHasPassed) {
  Block(1, kObject, 500);
  EXPECT_EQ(Status(1), ThreadStatus::kBlocked);
  scheduler.Sleep(1000);
  scheduler.Next(0);
  EXPECT_EQ(Status(1), ThreadStatus::kEnabled);
  EXPECT_EQ(scheduler.OutcomeOf(1), Outcome::kTimedOut);
  EXPECT_EQ(scheduler.Now(), 1000u);
}

TEST_F(SchedulerTest, ALimitThatHasPassed) {
  scheduler.Sleep(100);
  Block(1, kObject, 100);
  EXPECT_EQ(scheduler.OutcomeOf(1), Outcome::kTimedOut);
  EXPECT_EQ(Status(1), ThreadStatus::kEnabled);
  EXPECT_EQ(scheduler.Now(), 100u);
  EXPECT_EQ(chooser.asked, "");
}

TEST_F(SchedulerTest, WhenNothingElseCanHappenTheEarliestLimitComes) {
  Block(0, kObject, 700);
  Block(1, kObject, 300);
  Block(2);
  ExpectRuns(1);
  EXPECT_EQ(scheduler.OutcomeOf(1), Outcome::kTimedOut);
  EXPECT_EQ(scheduler.Now(), 300u);
  Block(1);
  ExpectRuns(0);
  EXPECT_EQ(scheduler.Now(), 700u);
  Block(0);
  Expect(Decision::kDeadlock);
}

TEST_F(SchedulerTest, ALimitComesAlthoughOthersSpin) {
  Block(1, kObject, 500);
  for (int i = 0; i < 49; i++)
    scheduler.Ran(0, kOperation, false);
  EXPECT_EQ(Status(1), ThreadStatus::kBlocked);
  scheduler.Ran(2, kOperation, false);
  EXPECT_EQ(Status(1), ThreadStatus::kEnabled);
  EXPECT_EQ(scheduler.OutcomeOf(1), Outcome::kTimedOut);
}

TEST_F(SchedulerTest, NotWhileSomethingGetsDone) {
  Block(1, kObject, 1000000);
  for (int i = 0; i < 500; i++)
    scheduler.Ran(0, kOperation, i % 40 == 0);
  EXPECT_EQ(Status(1), ThreadStatus::kBlocked);
}

TEST_F(SchedulerTest, WhoIsRemovedKeepsNobodyWaiting) {
  scheduler.Hold(kObject, 1);
  scheduler.Block(0, {WaitKind::kMutex, kObject});
  scheduler.Block(2, {WaitKind::kThread, 2});
  scheduler.EnterKernel(1);
  scheduler.Remove(1);
  EXPECT_EQ(Status(1), ThreadStatus::kFinished);
  EXPECT_EQ(scheduler.InKernel(), 0u);
  EXPECT_EQ(Status(0), ThreadStatus::kEnabled);
  EXPECT_EQ(Status(2), ThreadStatus::kEnabled);
  scheduler.Block(2, {WaitKind::kMutex, kOther});
  scheduler.Remove(2);
  EXPECT_EQ(Status(2), ThreadStatus::kFinished);
  EXPECT_EQ(scheduler.Live(), 1u);
  EXPECT_TRUE(scheduler.Blocked().Empty());
}

TEST_F(SchedulerTest, WhoWaitsForALockOfAThreadThatHasEndedLooksAgain) {
  scheduler.Hold(kObject, 1);
  scheduler.Block(0, {WaitKind::kMutex, kObject});
  scheduler.Block(2, {WaitKind::kMutex, kOther});
  scheduler.Finish(1);
  scheduler.WakeWaitersOf(1);
  EXPECT_EQ(Status(0), ThreadStatus::kEnabled);
  EXPECT_EQ(scheduler.OutcomeOf(0), Outcome::kWoken);
  EXPECT_EQ(Status(2), ThreadStatus::kBlocked);
}

TEST_F(SchedulerTest, AWaitIsTriedAgain) {
  scheduler.Block(1, {WaitKind::kSemaphore, kObject});
  EXPECT_TRUE(scheduler.Retry(1));
  EXPECT_EQ(scheduler.OutcomeOf(1), Outcome::kWoken);
  EXPECT_FALSE(scheduler.Retry(1));
}

TEST_F(SchedulerTest, ASleepEndsAfterSoManyTicks) {
  constexpr u64 kHour = 3600000000000;
  const auto work = [&](int ticks) {
    while (ticks-- > 0) {
      scheduler.Ran(0, kOperation, true);
      scheduler.Next(0);
    }
  };
  scheduler.Block(1, {WaitKind::kTime, 0, false, 2 * kHour});
  work(1000);
  scheduler.Block(2, {WaitKind::kTime, 0, false, kHour});
  scheduler.Create();
  Block(3, kObject, 3 * kHour); // no sleep
  work(999);
  EXPECT_EQ(Status(1), ThreadStatus::kBlocked);
  EXPECT_EQ(Status(2), ThreadStatus::kBlocked);
  work(1); // the first has slept for so long; the other's time has come before
  EXPECT_EQ(Status(1), ThreadStatus::kEnabled);
  EXPECT_EQ(Status(2), ThreadStatus::kEnabled);
  EXPECT_EQ(scheduler.OutcomeOf(1), Outcome::kTimedOut);
  EXPECT_EQ(scheduler.Now(), 2 * kHour);
  scheduler.Block(1, {WaitKind::kTime, 0, false, 4 * kHour});
  work(1999);
  EXPECT_EQ(Status(1), ThreadStatus::kBlocked);
  EXPECT_EQ(Status(3), ThreadStatus::kBlocked);
  work(1);
  EXPECT_EQ(Status(1), ThreadStatus::kEnabled);
  EXPECT_EQ(Status(3), ThreadStatus::kEnabled); // its limit was before
  EXPECT_EQ(scheduler.Now(), 4 * kHour);
}

//===-- Away ---------------------------------------------------------------===//

TEST_F(SchedulerTest, WhoIsAwayIsNotEnabled) {
  scheduler.EnterKernel(1);
  EXPECT_EQ(Status(1), ThreadStatus::kKernel);
  EXPECT_FALSE(scheduler.Enabled().Contains(1));
  EXPECT_EQ(scheduler.InKernel(), 1u);
  scheduler.LeaveKernel(1);
  EXPECT_EQ(Status(1), ThreadStatus::kEnabled);
  EXPECT_EQ(scheduler.InKernel(), 0u);
}

TEST_F(SchedulerTest, WhileSomebodyIsAwayItIsNoDeadlock) {
  Block(0);
  Block(1, kObject, 500);
  scheduler.EnterKernel(2);
  Expect(Decision::kIdle);
  EXPECT_EQ(Status(1), ThreadStatus::kBlocked); // the runtime says when
  EXPECT_TRUE(scheduler.Expire(1));
  EXPECT_EQ(scheduler.Now(), 500u);
  EXPECT_FALSE(scheduler.Expire(1));
  ExpectRuns(1);
  Block(1);
  scheduler.LeaveKernel(2);
  ExpectRuns(2);
  Block(2);
  Expect(Decision::kDeadlock);
}

//===-- Locks --------------------------------------------------------------===//

TEST_F(SchedulerTest, ACycle) {
  scheduler.Hold(kObject, 0);
  scheduler.Hold(kOther, 1);
  EXPECT_EQ(scheduler.HolderOf(kOther), 1u);
  scheduler.Block(0, {WaitKind::kMutex, kOther});
  EXPECT_FALSE(scheduler.InCycle(0));
  scheduler.Block(1, {WaitKind::kMutex, kObject});
  EXPECT_TRUE(scheduler.InCycle(0));
  EXPECT_TRUE(scheduler.InCycle(1));
  EXPECT_EQ(scheduler.WaitsForThread(0), 1u);
  scheduler.Block(2, {WaitKind::kThread, 1}); // waits for the cycle, is not in it
  EXPECT_FALSE(scheduler.InCycle(2));
  Expect(Decision::kDeadlock);
}

TEST_F(SchedulerTest, AThreadThatWaitsForItself) {
  scheduler.Hold(kObject, 0);
  scheduler.Block(0, {WaitKind::kMutex, kObject});
  EXPECT_TRUE(scheduler.InCycle(0));
}

TEST_F(SchedulerTest, ATimedWaitIsNoPartOfACycle) {
  scheduler.Hold(kObject, 0);
  scheduler.Hold(kOther, 1);
  scheduler.Block(0, {WaitKind::kMutex, kOther, false, 500});
  scheduler.Block(1, {WaitKind::kMutex, kObject});
  EXPECT_FALSE(scheduler.InCycle(0));
  EXPECT_FALSE(scheduler.InCycle(1));
  scheduler.LetGo(kObject, 0);
  EXPECT_EQ(scheduler.HolderOf(kObject), kNoThread);
}

//===-- Who is next --------------------------------------------------------===//

TEST_F(SchedulerTest, TheStrategyIsShownWhoCanRun) {
  scheduler.Announce(1, {OperationKind::kLoad, 77});
  strategy.answer = 2;
  ExpectRuns(2, 1);
  EXPECT_EQ(strategy.shown, (std::vector<ThreadId>{1, 0, 2}));
  EXPECT_EQ(strategy.next_of_first.object, 77u);
  EXPECT_EQ(chooser.asked, "T");
  Block(1);
  strategy.answer = 1;
  ExpectRuns(2, 1);
  EXPECT_EQ(strategy.shown, (std::vector<ThreadId>{0, 2}));
  ExpectRuns(2, kNoThread);
}

TEST_F(SchedulerTest, OneThreadIsNoChoice) {
  Block(1);
  Block(2);
  strategy.answer = 7;
  ExpectRuns(0);
  EXPECT_EQ(chooser.asked, "");
}

TEST_F(SchedulerTest, FirstCome) {
  strategy.first_come = true;
  Expect(Decision::kFirstCome, 1);
  scheduler.Took(2);
  EXPECT_EQ(chooser.asked, "T");
  strategy.first_come = false;
  ExpectRuns(1, 1); // the strategy's again
  strategy.first_come = true;
  Block(1);
  Block(2);
  ExpectRuns(0);
}

// Somebody comes back between the decision and the one who comes first. The answer is
// the one that it would be if the thread had come back before: a replay lets it.
TEST_F(SchedulerTest, FirstComeAndSomebodyComesBack) {
  struct Recorder final : ChoiceRecorder {
    void Record(Choice choice) override { last = choice; }
    Choice last = {};
  } recorder;
  ChoiceStream stream(threads, &recorder);
  Scheduler<Memory> second(strategy, threads, stream, Options());
  for (int i = 0; i < 3; i++)
    second.Create();
  strategy.first_come = true;
  second.EnterKernel(1);
  EXPECT_EQ(second.Next(1).kind, Decision::kFirstCome);
  second.LeaveKernel(1);
  second.Took(0);
  EXPECT_EQ(recorder.last, (Choice{ChoiceKind::kThread, 3, 1})); // 1, 0, 2
}

class ReplayTest : public SchedulerTest {
protected:
  static SchedulerOptions Replaying() {
    SchedulerOptions options = Options();
    options.first_come = false;
    return options;
  }
  ReplayTest() : SchedulerTest(Replaying()) {}
};

TEST_F(ReplayTest, TheLogSaysWhoIsFirst) {
  testing_choice::Log log;
  testing_choice::Fill(log, {{ChoiceKind::kThread, 3, 2}, {ChoiceKind::kThread, 3, 1}});
  Replayer replayer(log.View(), {});
  ChoiceStream stream(replayer);
  Scheduler<Memory> replay(strategy, threads, stream, Replaying());
  strategy.first_come = true;
  for (int i = 0; i < 3; i++)
    replay.Create();
  EXPECT_EQ(replay.Next(0).thread, 2u);
  EXPECT_EQ(replay.Next(2).thread, 0u);
  replayer.Finish();
  EXPECT_FALSE(replayer.Diverged());
}

// Where the log ends the strategy is asked, even one of those that come first.
TEST_F(ReplayTest, ThenTheStrategyGoesOn) {
  strategy.first_come = true;
  strategy.answer = 1;
  ExpectRuns(1, 0);
}

//===-- Yields and livelocks -----------------------------------------------===//

TEST_F(SchedulerTest, SleepAndYieldAreYields) {
  for (OperationKind kind : {OperationKind::kSleep, OperationKind::kYield}) {
    strategy.told = "";
    scheduler.Ran(1, {kind, 0}, false);
    scheduler.Next(1);
    EXPECT_EQ(strategy.told, std::string(NameOf(kind)) + " 1, yielded 1");
    scheduler.Next(1);
    EXPECT_EQ(strategy.told, std::string(NameOf(kind)) + " 1, yielded 1"); // once
  }
}

TEST_F(SchedulerTest, RepeatedLoadsAreAYield) {
  constexpr Operation kLoad = {OperationKind::kLoad, kObject};
  for (bool before : {true, false}) {
    strategy.yields = 0;
    for (u32 i = 1; i <= 12; i++) {
      if (before)
        scheduler.Loaded(1, kObject, 5);
      scheduler.Ran(1, kLoad, false);
      if (!before)
        scheduler.Loaded(1, kObject, 5);
      scheduler.Next(1);
    }
    EXPECT_GE(strategy.yields, 3u);
    EXPECT_LE(strategy.yields, 4u);
  }
}

TEST_F(SchedulerTest, LoadsOfOtherValuesAreNot) {
  for (u32 i = 0; i < 19; i++) { // fewer than the operations that count without that
    scheduler.Loaded(1, kObject, i / 2);
    scheduler.Ran(1, {OperationKind::kLoad, kObject}, false);
    scheduler.Next(1);
  }
  for (u32 i = 0; i < 100; i++) { // something is changed in between
    scheduler.Loaded(2, kObject, 5);
    scheduler.Ran(2, {OperationKind::kLoad, kObject}, false);
    scheduler.Ran(2, kOperation, true);
    scheduler.Next(2);
  }
  EXPECT_EQ(strategy.yields, 0u);
}

// A loop over several objects, or one that tries to change something.
TEST_F(SchedulerTest, ManyUnproductiveOperationsAreAYield) {
  for (u32 i = 1; i <= 60; i++) {
    scheduler.Loaded(1, 8 * (1 + i % 4), 0);
    scheduler.Ran(1, {OperationKind::kRmw, 8 * (1 + i % 4)}, false);
    scheduler.Next(1);
    EXPECT_EQ(strategy.yields, i / 20);
  }
}

// An annotation in a loop does not make it one that gets something done, but what is released may
// be something that is not seen.
TEST_F(SchedulerTest, AReleaseIsNeitherProgressNorALivelock) {
  for (u32 i = 1; i <= 60; i++) {
    scheduler.Ran(1, {OperationKind::kRelease, kObject}, true);
    scheduler.Next(1);
    EXPECT_EQ(strategy.yields, i / 20);
  }
  for (int i = 0; i < 100 * 1000; i++) {
    scheduler.Ran(1, {OperationKind::kAcquire, kObject}, false);
    scheduler.Ran(1, {OperationKind::kRelease, kObject}, true);
  }
  EXPECT_FALSE(scheduler.Livelocked());
}

TEST_F(SchedulerTest, AFinishedThreadDoesNotYield) {
  scheduler.Ran(1, {OperationKind::kYield, 0}, false);
  scheduler.Finish(1);
  scheduler.Next(1);
  EXPECT_EQ(strategy.yields, 0u);
}

TEST_F(SchedulerTest, Livelock) {
  for (int i = 0; i < 1000; i++)
    scheduler.Ran(i % 3, kAttempt, false);
  EXPECT_FALSE(scheduler.Livelocked());
  scheduler.Ran(0, kAttempt, false);
  EXPECT_TRUE(scheduler.Livelocked());
  scheduler.EnterKernel(1); // may bring something
  EXPECT_FALSE(scheduler.Livelocked());
  scheduler.LeaveKernel(1);
  EXPECT_FALSE(scheduler.Livelocked());
  for (int i = 0; i < 1001; i++)
    scheduler.Ran(0, kAttempt, false);
  EXPECT_TRUE(scheduler.Livelocked());
  scheduler.ExpectInput();
  EXPECT_FALSE(scheduler.Livelocked());
  for (int i = 0; i < 1001; i++)
    scheduler.Ran(0, kAttempt, false);
  EXPECT_TRUE(scheduler.Livelocked());
  scheduler.Ran(0, kAttempt, true);
  EXPECT_FALSE(scheduler.Livelocked());
}

// Once all seem to wait in loops, they take long turns.
TEST_F(SchedulerTest, LongTurnsWhereNothingHappens) {
  strategy.answer = 1; // another one
  ThreadId last = 0;
  const auto switches = [&](u32 operations, bool productive) {
    u32 switches = 0;
    for (u32 i = 0; i < operations; i++) {
      scheduler.Ran(last, kAttempt, productive);
      const ThreadId next = scheduler.Next(last).thread;
      switches += next != last;
      last = next;
    }
    return switches;
  };
  EXPECT_EQ(switches(100, true), 100u);
  EXPECT_EQ(switches(100, false), 100u);
  EXPECT_EQ(switches(640, false), 10u);
  EXPECT_EQ(switches(100, true), 100u);
}

// The system may not have run it: others that wait for it have all the turns.
TEST_F(SchedulerTest, NoLivelockBeforeEverybodyCameFirst) {
  strategy.first_come = true;
  for (int i = 0; i < 5000; i++)
    scheduler.Ran(i % 2, kAttempt, false);
  EXPECT_FALSE(scheduler.Livelocked());
  scheduler.Ran(2, kAttempt, false);
  EXPECT_TRUE(scheduler.Livelocked());
}

// A program that sleeps until somebody ends it, or looks for something now and then.
TEST_F(SchedulerTest, WaitingForTimeIsNoLivelock) {
  constexpr u64 kSecond = 1000000000;
  Block(1);
  Block(2);
  for (u32 at_once : {0, 1}) { // the answer to whether it times out
    for (int i = 0; i < 10 * 1000; i++) {
      chooser.answers.assign(1, at_once);
      scheduler.Block(0, {WaitKind::kTime, 0, false, scheduler.Now() + kSecond});
      scheduler.Ran(0, {OperationKind::kSleep, 0}, false);
      ExpectRuns(0);
    }
    EXPECT_FALSE(scheduler.Livelocked());
    EXPECT_GE(scheduler.Now(), 10 * 1000 * kSecond);
  }
  // Nobody has waited for a time that is over.
  for (int i = 0; i < 10 * 1000; i++) {
    scheduler.Block(0, {WaitKind::kTime, 0, false, kSecond});
    scheduler.Ran(0, {OperationKind::kSleep, 0}, false);
    ExpectRuns(0);
  }
  EXPECT_TRUE(scheduler.Livelocked());
}

TEST_F(SchedulerTest, ReadingIsNoLivelockForLong) {
  const Operation load = {OperationKind::kLoad, 64};
  for (int i = 0; i < 16 * 1000; i++) {
    scheduler.Ran(0, load, false);
    scheduler.Loaded(0, 64, 1);
  }
  EXPECT_FALSE(scheduler.Livelocked());
  scheduler.Ran(0, load, false);
  scheduler.Ran(0, load, false);
  EXPECT_TRUE(scheduler.Livelocked());
  scheduler.Loaded(0, 64, 2); // something new
  EXPECT_FALSE(scheduler.Livelocked());
}

// Nor are other operations that loops make which only count.
TEST_F(SchedulerTest, AnyLoopIsNoLivelockForLong) {
  for (OperationKind kind : {OperationKind::kStore, OperationKind::kRmw, OperationKind::kFence,
                             OperationKind::kOnce, OperationKind::kThreadCancel}) {
    scheduler.Ran(0, kOperation, true);
    for (int i = 0; i < 16 * 1000; i++)
      scheduler.Ran(0, {kind, 64}, false);
    EXPECT_FALSE(scheduler.Livelocked()) << NameOf(kind);
    scheduler.Ran(0, {kind, 64}, false);
    EXPECT_TRUE(scheduler.Livelocked()) << NameOf(kind);
  }
}

TEST_F(SchedulerTest, WhoReadsManyObjectsDoesNotWait) {
  for (u64 i = 0; i < 100 * 1000; i++) {
    scheduler.Ran(0, {OperationKind::kLoad, 64 + 8 * (i % 50)}, false);
    scheduler.Loaded(0, 64 + 8 * (i % 50), 1);
  }
  EXPECT_FALSE(scheduler.Livelocked());
}

TEST_F(SchedulerTest, ALimitThatIsFarAwayDoesNotComeByChance) {
  chooser.answers.assign(8, 1);
  WaitFor wait{WaitKind::kMutex, 7};
  wait.deadline = scheduler.Now() + 2 * SchedulerOptions().soon;
  scheduler.Block(1, wait);
  EXPECT_EQ(scheduler.StatusOf(1), ThreadStatus::kBlocked);
  for (u64 i = 0; i < 100 * 1000; i++)
    scheduler.Ran(0, kOperation, i % 5000 == 0);
  EXPECT_EQ(scheduler.StatusOf(1), ThreadStatus::kBlocked);
}

// A wait in the kernel has taken its time.
TEST_F(SchedulerTest, TimeThatPassesElsewhereEndsTimedWaits) {
  Block(1, kObject, 500);
  EXPECT_EQ(scheduler.NextDeadline(), 500u);
  scheduler.PassTo(499);
  ExpectRuns(0);
  EXPECT_EQ(Status(1), ThreadStatus::kBlocked);
  scheduler.PassTo(500);
  scheduler.PassTo(300); // time does not go back
  scheduler.PassTo(WaitFor::kNoDeadline);
  EXPECT_EQ(scheduler.Now(), 500u);
  ExpectRuns(0);
  EXPECT_EQ(Status(1), ThreadStatus::kEnabled);
  EXPECT_EQ(scheduler.OutcomeOf(1), Outcome::kTimedOut);
}

class RealTimeTest : public SchedulerTest {
protected:
  RealTimeTest() : SchedulerTest(RealTime()) {}
  static SchedulerOptions RealTime() {
    SchedulerOptions options = Options();
    options.real_time = true;
    return options;
  }
};

TEST_F(RealTimeTest, ATimedWaitEndsWhenTheRuntimeSaysSo) {
  chooser.answers.assign(8, 1);
  Block(1, kObject, 500);
  EXPECT_EQ(chooser.asked, "");
  for (int i = 0; i < 5000; i++)
    scheduler.Ran(0, kOperation, false);
  Expect(Decision::kRun);
  EXPECT_EQ(Status(1), ThreadStatus::kBlocked);
  EXPECT_FALSE(scheduler.Livelocked());
  Block(0);
  Block(2);
  Expect(Decision::kIdle);
  EXPECT_TRUE(scheduler.Expire(1));
  ExpectRuns(1);
  Block(1);
  Expect(Decision::kDeadlock);
}

TEST_F(SchedulerTest, BadCallsStop) {
  Block(1);
  EXPECT_DEATH(Block(1), "");
  EXPECT_DEATH(scheduler.Finish(1), "");
  EXPECT_DEATH(scheduler.EnterKernel(1), "");
  EXPECT_DEATH(scheduler.LeaveKernel(0), "");
  EXPECT_DEATH(scheduler.Took(1), "");
}

} // namespace
