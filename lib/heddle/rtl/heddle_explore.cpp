//===-- heddle_explore.cpp - Many executions in one process ---------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// heddle::Explore runs a function many times. Each time is an execution of its own: the
// schedule begins anew with the caller as its only thread, the strategy with a new
// seed, and histories of atomic objects with what memory holds. Without schedule= there
// is a schedule from the first execution to the last, and the threads that the
// program has besides are not part of it.
//
// An execution must depend on nothing but its seed, or it could not be repeated alone. What the
// program does once, when it first comes to it (static variables, libraries), would be a
// difference between the first and the others: so one with nothing unusual in it comes
// first, always, and is not counted.
//
// How long executions are is a parameter of some strategies. Unless it is given, each execution is
// expected to be as long as the one before it. What repeats an execution names it, so
// this is no dependence on others.
//
// Enumerated executions are answered by an Enumerator instead of a strategy, see
// heddle/schedule/exhaustive.h.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_explore.h"

#include "heddle/choice/enumerator.h"
#include "heddle/rtl/heddle_control_start.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_weak_memory.h"
#include "heddle/rtl/heddle_workers.h"
#include "heddle/schedule/exhaustive.h"
#include "heddle/schedule/strategy_settings.h"
#include "sanitizer/heddle_interface.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "tsan_flags.h"
#include "tsan_rtl.h"

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {
namespace {

using Body = int (*)(void *);

class Exploration {
public:
  Exploration(ThreadState *thr, uptr pc, const ExploreSettings &settings)
      : thr_(thr), pc_(pc), settings_(settings), strategy_(settings.strategy),
        nested_(schedule_controlled), before_(nested_ ? control->strategy() : settings.strategy) {
    Begin();
  }
  ~Exploration() { End(); }

  void Run(Body body, void *argument, __heddle_explore_result *result);
  void PrintNote() const;

private:
  void Begin();
  void End();
  bool Execute(Body body, void *argument);
  bool Judge(bool failed, int reports);
  void Estimate();
  void BeginExecution();
  void AwaitThreads();
  void SayFailed(const char *why);
  void RunAll(Body body, void *argument);
  void Enumerate(Body body, void *argument);
  bool MayGoOn() const;
  void Count(bool failed);
  void SayNotTheSame(const Divergence &divergence);

  ThreadState *const thr_;
  const uptr pc_;
  const ExploreSettings &settings_;
  StrategyInUse strategy_;
  const bool nested_; // there is a schedule already
  const StrategyInUse before_;
  Exhaustive<ScheduleMemory> *exhaustive_ = nullptr;
  u64 deadline_ = ~0ull;
  bool warming_up_ = false;
  __heddle_explore_result result_ = {};
};

Exploration *exploration;

void Exploration::Begin() {
  if (!nested_) {
    StartSchedule(thr_, settings_.strategy);
  } else if (!thr_->heddle.Controlled() || IdOf(thr_->heddle.Controlled()) != 0 ||
             control->scheduler().Live() != 1) {
    RefuseToExplore("%u other threads run under schedule=. Let it begin when they have ended, or "
                    "leave out schedule=: it has schedules of its own",
                    control->scheduler().Live() - 1);
  }
  if (settings_.weak_memory != WeakMemory::kOff || weak_memory) {
    VisibleOperation visible(thr_, pc_, OperationKind::kNone, nullptr);
    if (!nested_)
      EndWeakThread(thr_);
    UseWeakMemory(settings_.weak_memory);
  }
  if (settings_.seconds > 0)
    deadline_ = MonotonicNanoTime() + u64(settings_.seconds * 1e9);
  if (!settings_.seed)
    strategy_.options.seed = nested_ ? control->seed() : DrawSeed();
  else
    strategy_.options.seed = settings_.seed;
  exploration = this;
  use_workers = true;
}

void Exploration::End() {
  use_workers = false;
  exploration = nullptr;
  exhaustive_ = nullptr;
  strategy_ = before_;
  {
    VisibleOperation visible(thr_, pc_, OperationKind::kNone, nullptr);
    control->BeginAnew(before_, nullptr, nullptr);
    EndWeakThread(thr_);
    if (!nested_ || flags()->weak_memory == WeakMemory::kOff)
      UseWeakMemory(WeakMemory::kOff);
    else
      BeginWeakExecution(thr_);
  }
  if (!nested_)
    StopSchedule(thr_);
}

void Exploration::Run(Body body, void *argument, __heddle_explore_result *result) {
  FixedAnswers<ScheduleMemory> defaults;
  Exhaustive<ScheduleMemory> plain(defaults, control->scheduler().Enabled());
  exhaustive_ = &plain;
  warming_up_ = true;
  const bool failed = !Execute(body, argument);
  warming_up_ = false;
  exhaustive_ = nullptr;
  if (failed) {
    result_.failed = result_.executions = 1;
    result_.seed = strategy_.options.seed;
  }
  if (!failed || settings_.go_on) {
    if (settings_.exhaust || settings_.choices)
      Enumerate(body, argument);
    else
      RunAll(body, argument);
  }
  if (result)
    *result = result_;
}

void Exploration::RunAll(Body body, void *argument) {
  for (;; strategy_.options.seed++) {
    Count(!Execute(body, argument));
    if (!MayGoOn())
      return;
  }
}

void Exploration::Enumerate(Body body, void *argument) {
  Enumerator<ScheduleMemory> enumerator;
  FixedAnswers<ScheduleMemory> fixed;
  for (const char *at = settings_.choices; at && *at;) {
    const char *end;
    fixed.Add(u32(internal_simple_strtoll(at, &end, 10)));
    if (end == at || (*end && *end != '.'))
      RefuseToExplore("choices must be numbers with dots between them, and not '%s'", at);
    at = *end ? end + 1 : end;
  }
  Chooser *source = &enumerator;
  if (settings_.choices)
    source = &fixed;
  Exhaustive<ScheduleMemory> exhaustive(*source, control->scheduler().Enabled());
  exhaustive_ = &exhaustive;
  bool more;
  do {
    Count(!Execute(body, argument));
    more = !settings_.choices && enumerator.Next();
  } while (more && MayGoOn());
  exhaustive_ = nullptr;
  if (const Divergence *divergence = enumerator.Nondeterminism())
    return SayNotTheSame(*divergence);
  result_.complete = !more && !settings_.choices;
  Printf("ThreadSanitizer: heddle::Exhaust%s%s: %s%llu execution%s, %llu failed.\n",
         settings_.name[0] ? " " : "", settings_.name,
         result_.complete ? "all " : "not all: ", result_.executions,
         result_.executions == 1 ? "" : "s", result_.failed);
}

void Exploration::SayNotTheSame(const Divergence &divergence) {
  char text[256];
  result_.failed++;
  FormatDivergence(divergence, text, sizeof(text));
  Printf("ERROR: ThreadSanitizer: heddle::Exhaust: the body is not the same each time. Execution "
         "%llu, %s. It must depend on nothing but its choices: not on time, addresses, or what an "
         "execution leaves behind. Mend it, or take heddle::Explore.\n",
         result_.executions, text);
}

void Exploration::Count(bool failed) {
  result_.executions++;
  if (!failed)
    return;
  if (!result_.failed++)
    result_.seed = strategy_.options.seed;
}

bool Exploration::MayGoOn() const {
  return (!result_.failed || settings_.go_on) && result_.executions < settings_.executions &&
         MonotonicNanoTime() < deadline_;
}

void Exploration::BeginExecution() {
  VisibleOperation visible(thr_, pc_, OperationKind::kNone, nullptr);
  if (exhaustive_)
    exhaustive_->BeginAnew();
  control->BeginAnew(strategy_, exhaustive_, exhaustive_);
  BeginWeakExecution(thr_);
}

// Those that nobody has joined.
void Exploration::AwaitThreads() {
  for (ThreadId id = 1;; id++) {
    VisibleOperation visible(thr_, pc_, OperationKind::kThreadJoin,
                             reinterpret_cast<const void *>(uptr(id) + 1));
    if (id >= control->Threads())
      break;
    while (!HasEnded(control->At(id))) {
      WaitFor wait;
      wait.kind = WaitKind::kThread;
      wait.object = uptr(id) + 1;
      visible.Block(wait);
    }
  }
  VisibleOperation visible(thr_, pc_, OperationKind::kNone, nullptr);
  RecallWorkers(thr_);
}

// Returns whether nothing is wrong with it.
bool Exploration::Execute(Body body, void *argument) {
  const int reports = ctx->nreported;
  BeginExecution();
  const bool failed = body(argument);
  AwaitThreads();
  const bool passed = Judge(failed, reports);
  Estimate();
  return passed;
}

// What is printed is about the execution that has ended: before Estimate.
bool Exploration::Judge(bool failed, int reports) {
  if (failed)
    SayFailed("the body says so");
  else if (ctx->nreported != reports)
    SayFailed("see the report");
  else if (settings_.failed && settings_.failed(settings_.failed_argument))
    SayFailed("the test says so");
  else
    return true;
  return false;
}

void Exploration::Estimate() {
  if (!settings_.estimates_events)
    return;
  const auto &scheduler = control->scheduler();
  strategy_.options.events =
      EstimateEvents(strategy_.kind, scheduler.Ticks(), scheduler.Communications());
}

void Exploration::SayFailed(const char *why) {
  ScopedIgnoreInterceptors ignore;
  Printf("ThreadSanitizer: heddle::%s: an execution has failed: %s.\n",
         settings_.exhaust ? "Exhaust" : "Explore", why);
  PrintNote();
}

void Exploration::PrintNote() const {
  InternalScopedString repeat;
  const u64 tick = control->scheduler().Ticks();
  if (exhaustive_) {
    const auto &answers = exhaustive_->Answers();
    uptr count = answers.Size();
    while (count > 1 && !answers[count - 1])
      count--;
    repeat.AppendF("choices=");
    for (uptr i = 0; i < count; i++)
      repeat.AppendF(i ? ".%u" : "%u", answers[i]);
    if (!count)
      repeat.AppendF("0");
  } else {
    repeat.AppendF("seed=%llu", strategy_.options.seed);
  }
  settings_.AddTo(&repeat, strategy_);
  if (warming_up_)
    Printf("  Execution: the first, with nothing unusual in it, tick %llu.", tick);
  else if (exhaustive_)
    Printf("  Execution: number %llu of all, tick %llu.", result_.executions + 1, tick);
  else
    Printf("  Execution: %s, seed %llu, tick %llu.", NameOf(strategy_.kind), strategy_.options.seed,
           tick);
  Printf(" To repeat it alone:\n    ");
  const char *options = GetEnv("TSAN_OPTIONS");
  if (options && *options)
    Printf("TSAN_OPTIONS=\"%s\" ", options);
  Printf("HEDDLE_EXPLORE=\"%s\" %s\n\n", repeat.data(), CommandLine());
}

} // namespace

bool PrintExploreNote() {
  if (!exploration)
    return false;
  exploration->PrintNote();
  return true;
}

} // namespace __heddle

using namespace __heddle;

extern "C" SANITIZER_INTERFACE_ATTRIBUTE int
__heddle_explore(const __heddle_explore_options *options, int (*body)(void *), void *argument,
                 __heddle_explore_result *result) {
  ThreadState *thr = cur_thread_init();
  if (exploration)
    RefuseToExplore("there is one going on already, and the body of one cannot have another");
  __heddle_explore_options known = {};
  internal_memcpy(&known, options, Min(options->size, sizeof(known)));
  ExploreSettings settings;
  settings.Read(known);
  __heddle_explore_result own = {};
  if (!result)
    result = &own;
  {
    Exploration explored(thr, GET_CALLER_PC(), settings);
    explored.Run(body, argument, result);
  }
  return result->failed ? 1 : 0;
}

extern "C" SANITIZER_INTERFACE_ATTRIBUTE u32 __heddle_choose(u32 options) {
  ThreadState *thr = cur_thread_init();
  if (!options) {
    Printf("ERROR: ThreadSanitizer: heddle::Choose(0): there must be an option at least.\n");
    Die();
  }
  VisibleOperation visible(thr, GET_CALLER_PC(), OperationKind::kNone, nullptr);
  return visible.controlled() && exploration ? control->ChooseValue(options) : 0;
}
