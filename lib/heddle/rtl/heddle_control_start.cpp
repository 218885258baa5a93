//===-- heddle_control_start.cpp - From the flags to a schedule -----------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Called when the runtime has been initialised, and when the process ends.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_control_start.h"

#include "heddle/demo/demo_flags.h"
#include "heddle/rtl/heddle_async_io.h"
#include "heddle/rtl/heddle_demo.h"
#include "heddle/rtl/heddle_execution.h"
#include "heddle/rtl/heddle_explore.h"
#include "heddle/rtl/heddle_fork_server.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_openmp.h"
#include "heddle/rtl/heddle_schedule_log.h"
#include "heddle/rtl/heddle_signal_stacks.h"
#include "heddle/rtl/heddle_stale_reads.h"
#include "heddle/rtl/heddle_statistics.h"
#include "heddle/rtl/heddle_sync.h"
#include "heddle/rtl/heddle_time.h"
#include "heddle/rtl/heddle_timestamps.h"
#include "heddle/rtl/heddle_weak_memory.h"
#include "heddle/schedule/strategy_settings.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_file.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_placement_new.h"
#include "tsan_flags.h"
#include "tsan_report.h"
#include "tsan_rtl.h"

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {
namespace {

[[noreturn]] void RefuseFlags(const char *message) {
  Printf("ERROR: ThreadSanitizer: %s.\n", message);
  Die();
}

using Text = InternalScopedString;

// A flag, unless it is as it is by default.
void Add(Text &text, const char *flag, const char *value, const char *by_default) {
  if (internal_strcmp(value, by_default))
    text.AppendF(" %s=%s", flag, value);
}
void Add(Text &text, const char *flag, s64 value, s64 by_default) {
  if (value != by_default)
    text.AppendF(" %s=%lld", flag, value);
}
template <class E> void Add(Text &text, const char *flag, OneOf<E> value, OneOf<E> by_default) {
  Add(text, flag, WordOf(value.value), WordOf(by_default.value));
}

void AddParameters(Text &text) {
  Flags defaults;
  defaults.SetDefaults();
#define ADD(flag) Add(text, #flag, flags()->flag, defaults.flag);
  HEDDLE_DEMO_PARAMETERS(ADD)
#undef ADD
}

// In heddle show; the report itself says more.
const char *TitleOf(const ReportDesc &report) {
  if (report.typ == ReportTypeDeadlock)
    return "lock-order inversion";
  return report.mops.Size() ? "data race" : "report";
}

// What schedule_events= of the next run is to be.
void PrintLength() {
  Printf("  %llu visible operations (schedule_events= of pct and urw), "
         "%llu communication events (of pctwm).\n\n",
         control->Operations(), control->Communications());
}

} // namespace

// Short enough to be read aloud, and not 0.
u64 DrawSeed() {
  u32 seed = 0;
  if (!GetRandom(&seed, sizeof(seed), /*blocking=*/false) || !seed)
    seed = u32(NanoTime() ^ internal_getpid()) | 1;
  return seed;
}

StrategyInUse StrategyOfFlags() {
  const Schedule schedule = flags()->schedule;
  StrategySettings settings;
  if (schedule != Schedule::kReplay)
    settings.strategy = NameOf(StrategyKind(u8(schedule) - u8(Schedule::kReplay) - 1));
  settings.depth = flags()->schedule_depth;
  settings.events = flags()->schedule_events;
  settings.history = flags()->history_depth;
  settings.switch_probability = flags()->switch_probability;
  StrategyInUse strategy;
  if (const char *wrong = ReadSettings(settings, strategy.kind, strategy.options))
    RefuseFlags(wrong);
  strategy.options.seed = flags()->seed ? flags()->seed : DrawSeed();
  strategy.read_policy = flags()->read_policy;
  return strategy;
}

// Before the schedule is made: where it is made depends on it.
static void StartProcesses() {
  if (flags()->processes != Processes::kTogether)
    return;
  if (demo_mode != DemoMode::kOff)
    RefuseFlags("processes=together does not go with record_demo or play_demo");
  if (flags()->schedule_log[0] || flags()->schedule == Schedule::kReplay)
    RefuseFlags("processes=together does not go with schedule_log");
  StartGroup();
}

static void MakeControl(const StrategyInUse &strategy, Chooser *replayer,
                        ChoiceRecorder *recorder) {
  if (flags()->time_slice_ms < 1 || flags()->time_slice_ms > 60000)
    RefuseFlags("time_slice_ms must be 1 to 60000");
  if (flags()->livelock_ticks < 1000)
    RefuseFlags("livelock_ticks must be 1000 or more");
  SchedulerOptions options;
  options.first_come = !replayer;
  options.livelock_ticks = flags()->livelock_ticks;
  options.real_time = flags()->real_sleep;
  alignas(64) static char own[sizeof(Control)];
  void *memory = UNLIKELY(processes_together) ? AllocInGroup(sizeof(Control)) : own;
  control = new (memory) Control(strategy, options, flags()->time_slice_ms, replayer, recorder);
}

void StartSchedule(ThreadState *thr, const StrategyInUse &strategy) {
  if (!control) {
    MakeControl(strategy, nullptr, nullptr);
    InstallForkHandlers();
    InstallExitHandlers();
  }
  BeginLogicalTime();
  control->Adopt(thr);
  InstallThreadHandlers(control->At(0));
  schedule_controlled = volatile_is_special = true;
}

void StopSchedule(ThreadState *thr) {
  schedule_controlled = false;
  FlagChanged(flags()->volatile_order.value);
  control->Dismiss(thr);
}

void StartControl() {
  FindKernel();
  AdoptSignalStack();
  StartDemo();
  SetRealsFinal();
  StartStatistics();
  StartWeakMemory();
  StartForkServer();
  const Schedule schedule = flags()->schedule;
  if (schedule == Schedule::kNone)
    return;
  // Between their operations its threads meet where nobody sees it.
  if (flags()->openmp && ProgramUsesOpenMp())
    flags()->one_at_a_time = true;
  MoveReportFile();
  StartProcesses();
  const bool replay = schedule == Schedule::kReplay;
  const StrategyInUse strategy = StrategyOfFlags();
  const char *log = flags()->schedule_log;
  Chooser *replayer = replay ? ReplaySchedule(log) : nullptr;
  ChoiceRecorder *recorder = !replay && log[0] ? RecordSchedule(log) : nullptr;
  const bool queue = schedule == Schedule::kQueue;
  if (Recording() && queue)
    recorder = QueueRecorder();
  if (Playing() && queue)
    replayer = QueuePlayer();
  MakeControl(strategy, replayer, recorder);
  if (Playing() && queue)
    OtherwiseFrom(control->chooser());
  if (Recording()) {
    Text parameters;
    AddParameters(parameters);
    BeginRecording(NameOf(strategy.kind), control->seed(), parameters.data());
  }
  if (flags()->schedule_trace[0])
    OpenTrace(flags()->schedule_trace);
  if (flags()->execution_file[0])
    OpenExecution(flags()->execution_file);
  control->Begin(cur_thread());
  // Also a thread that uses no atomics itself tells its threads what it knows.
  if (weak_memory)
    WeakThreadBegins(cur_thread(), NewWeakThread(cur_thread()));
  InstallThreadHandlers(control->At(0));
  InstallForkHandlers();
  InstallExitHandlers();
  schedule_controlled = volatile_is_special = true;
  StartTimestamps();
  StartAsyncIo();
  StartWaitingReport();
}

void EndControl(ThreadState *thr) {
  if (!schedule_controlled)
    return;
  // The turn is kept: nobody else moves from here on.
  control->Stop(thr);
  if (common_flags()->verbosity) {
    PrintScheduleNote();
    PrintLength();
  }
  EndStatistics();
  CutExecution();
  FlushTrace();
  SaveScheduleLog();
  FlushDemo(/*last=*/true);
  if (UNLIKELY(processes_together)) {
    schedule_controlled = false;
    control->LeaveGroup(/*for_another_program=*/false);
  }
}

bool TimeIsLogical() { return schedule_controlled && !flags()->real_sleep; }

void PrintReportNotes(const ReportDesc *report) {
  if (UNLIKELY(writes_execution))
    WriteReport(cur_thread(), 0, TitleOf(*report), report);
  if (report->mops.Size()) {
    Tid tids[2] = {kInvalidTid, kInvalidTid};
    for (uptr i = 0; i < min<uptr>(report->mops.Size(), 2); i++)
      tids[i] = report->mops[i]->tid;
    PrintStaleReads(tids, 2);
  }
  PrintScheduleNote();
}

void PrintScheduleNote() {
  if (!schedule_controlled)
    return;
  if (PrintExploreNote())
    return;
  const u64 tick = control->scheduler().Ticks();
  if (flags()->schedule == Schedule::kReplay) {
    Printf("  Schedule: replayed from %s, tick %llu.\n\n", flags()->schedule_log, tick);
    return;
  }
  if (Playing()) {
    Printf("  Schedule: played from %s, tick %llu.\n\n", flags()->play_demo, tick);
    return;
  }
  if (Recording()) {
    Printf("  Schedule: recorded in %s, tick %llu. To repeat it:\n    "
           "TSAN_OPTIONS=\"play_demo=%s\" %s\n\n",
           flags()->record_demo, tick, flags()->record_demo, CommandLine());
    return;
  }
  const char *name = NameOf(control->kind());
  Printf("  Schedule: %s, seed %llu, tick %llu. ", name, control->seed(), tick);
  if (control->kind() == StrategyKind::kQueue) {
    // It depends on time, so only its log repeats it.
    if (flags()->schedule_log[0])
      Printf("To repeat it:\n    TSAN_OPTIONS=\"schedule=replay schedule_log=%s\" %s\n\n",
             flags()->schedule_log, CommandLine());
    else
      Printf("With schedule_log=FILE it could be repeated.\n\n");
    return;
  }
  Text parameters;
  AddParameters(parameters);
  Printf("To repeat it:\n    TSAN_OPTIONS=\"schedule=%s seed=%llu%s\" %s\n\n", name,
         control->seed(), parameters.data(), CommandLine());
}

// Of what the process was started with: test frameworks take out of argv what they have read.
const char *CommandLine() {
  static char text[512];
  char *arguments;
  uptr mapped, size = 0, length = 0;
  if (!ReadFileToBuffer("/proc/self/cmdline", &arguments, &mapped, &size))
    return text;
  for (uptr at = 0; at < size && length + 1 < sizeof(text);
       at += internal_strlen(arguments + at) + 1)
    length += internal_snprintf(text + length, sizeof(text) - length, "%s%s", at ? " " : "",
                                arguments + at);
  UnmapOrDie(arguments, mapped);
  return text;
}

} // namespace __heddle
