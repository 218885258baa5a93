//===-- heddle_demo.cpp - A run is recorded, or a recording is played -----===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_demo.h"

#include "heddle/demo/demo_flags.h"
#include "heddle/rtl/heddle_demo_impl.h"
#include "heddle/rtl/heddle_input.h"
#include "heddle/rtl/heddle_layout.h"
#include "heddle/rtl/heddle_not_recorded.h"
#include "heddle/rtl/heddle_own_flags.h"
#include "heddle/rtl/heddle_process_order.h"
#include "heddle/rtl/heddle_program.h"
#include "heddle/rtl/heddle_recorded_children.h"
#include "heddle/rtl/heddle_same_start.h"
#include "heddle/rtl/heddle_timestamps.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_file.h"
#include "sanitizer_common/sanitizer_flag_parser.h"
#include "sanitizer_common/sanitizer_flags.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_placement_new.h"
#include "tsan_flags.h"
#include "tsan_rtl.h"

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {

DemoMode demo_mode;

namespace {

// In a replay: it is the child of a fork.
bool is_child;

// Of a replay that is not, or cannot be, the recorded run. Others end as the program does.
constexpr int kExitDesynchronised = 67;

constexpr const char *kKeyBuild = "build", *kKeyFlags = "flags", *kKeyForked = "forked",
                     *kKeyProcess = "process", *kKeyStandardInput = "standard-input";
constexpr const char *kRecorded = "recorded", *kReadAgain = "read again";

[[noreturn]] void RefuseMeta(const char *why) {
  Printf("ERROR: ThreadSanitizer: play_demo: %s/META %s. Record the program again.\n",
         player->directory(), why);
  RefuseDemo();
}

// The flags that the demo has become those of this run.
void ReadFlags(const MetaReader &meta) {
  char text[512];
  MetaValue value;
  if (!meta.Find(kKeyFlags, value) || value.CopyTo(text, sizeof(text)) >= sizeof(text))
    RefuseMeta("has no flags of a schedule, or more than a recording writes");
  if (FindForeignFlag(text))
    RefuseMeta("sets a flag that a demo may not set");
  FlagParser parser;
#define REGISTER(flag) RegisterFlag(&parser, #flag, "", &flags()->flag);
  HEDDLE_DEMO_FLAGS(REGISTER)
#undef REGISTER
  parser.ParseString(text);
  if (flags()->schedule == Schedule::kNone || flags()->schedule == Schedule::kReplay)
    RefuseMeta("names no strategy");
}

// What comes from a file may hold anything, and terminals obey some of it.
void KeepPrintable(char *text) {
  for (; *text; text++)
    if (*text < ' ' || *text > '~')
      *text = '?';
}

void CheckProgram(const MetaReader &meta) {
  char build[kBuildIdSize], recorded[kBuildIdSize];
  GetBuildId(build);
  MetaValue value;
  if (!meta.Find(kKeyBuild, value) || value == "") {
    Printf("%s: ThreadSanitizer: play_demo: the demo does not say with which build of the program "
           "it was recorded.\n",
           flags()->force_demo ? "WARNING" : "ERROR");
  } else if (value == build) {
    return;
  } else {
    value.CopyTo(recorded, sizeof(recorded));
    KeepPrintable(recorded);
    Printf("%s: ThreadSanitizer: play_demo: the demo was recorded with build %s of the program, "
           "and this is build %s.\n",
           flags()->force_demo ? "WARNING" : "ERROR", recorded, build);
  }
  if (flags()->force_demo)
    return;
  Printf("Play it with that one, or try your luck with force_demo=1.\n");
  RefuseDemo();
}

// It is the same memory for the demo of a parent and that of a child.
MetaReader NewPlayer(const char *directory) {
  alignas(Player) static char memory[sizeof(Player)];
  player = new (memory) Player;
  ByteSpan content = player->Open(directory);
  MetaReader meta;
  DemoStatus status = meta.Open(content);
  if (!status.Ok()) {
    Printf("ERROR: ThreadSanitizer: play_demo: %s/META, byte %zu: %s\n", directory, status.offset,
           ExplainDemoError(status.error));
    RefuseDemo();
  }
  CheckProgram(meta);
  return meta;
}

Recorder *NewRecorder() {
  alignas(Recorder) static char memory[sizeof(Recorder)];
  return new (memory) Recorder;
}

void ReadProcess(const MetaReader &meta) {
  u64 process = 0;
  if (meta.Find(kKeyProcess, process))
    KnowProcess(int(process), int(internal_getpid()), /*plays=*/true);
}

void OpenDemo(const char *directory) {
  const MetaReader meta = NewPlayer(directory);
  MetaValue value;
  if (meta.Find(kKeyForked, value)) {
    Printf(
        "ERROR: ThreadSanitizer: play_demo: %s is of the child of a fork, and goes on from where "
        "its parent was. Play the parent's, which is the directory above.\n",
        directory);
    RefuseDemo();
  }
  if (const char *why = RestartToPlay(meta))
    RefuseMeta(why);
  player->ReadStreams();
  ReadFlags(meta);
  ReadProcess(meta);
  CreateInherited(meta);
  PlayStandardInput(meta.Find(kKeyStandardInput, value) && value == kRecorded);
}

// schedule=, seed= and the rest.
char schedule_of_recording[512];

void DescribeProcess(MetaWriter<RuntimeMemory> &meta) {
  char text[kBuildIdSize];
  GetBuildId(text);
  meta.Add(kKeyBuild, text);
  meta.Add(kKeyFlags, schedule_of_recording);
  internal_snprintf(text, sizeof(text), "%d", int(internal_getpid()));
  meta.Add(kKeyProcess, text);
}

// Whether reports are coloured is asked of the terminal once, and not at each report: by then to
// ask is a call of the thread's, and a replay may have other reports.
void DecideColours() {
  if (internal_strcmp(common_flags()->color, "auto"))
    return;
  CommonFlags all;
  all.CopyFrom(*common_flags());
  // A file that is yet to be opened is no terminal.
  all.color = report_file.fd != kInvalidFd && report_file.SupportsColors() ? "always" : "never";
  OverrideCommonFlags(all);
}

void AtDeath() { FlushDemo(/*last=*/true); }

} // namespace

//===-- From start to end -------------------------------------------------===//

void RefuseDemo() {
  LeaveOrder();
  demo_mode = DemoMode::kOff;
  internal__exit(kExitDesynchronised);
}

void StartDemo() {
  const bool plays = flags()->play_demo[0], records = flags()->record_demo[0];
  if (!plays && !records)
    return;
  DecideColours();
  if (plays && records) {
    Printf(
        "ERROR: ThreadSanitizer: record_demo and play_demo exclude each other. Use one of them.\n");
    Die();
  }
  if (plays) {
    BeginOrder();
    OpenDemo(flags()->play_demo);
    demo_mode = DemoMode::kPlaying;
  } else {
    if (flags()->schedule == Schedule::kNone || flags()->schedule == Schedule::kReplay) {
      Printf(
          "ERROR: ThreadSanitizer: record_demo needs a schedule: add schedule=random, or queue for "
          "one that is close to the system's.\n");
      Die();
    }
    CheckRestarted();
    recorder = NewRecorder();
    recorder->Open(flags()->record_demo);
    demo_mode = DemoMode::kRecording;
    BeginOrder();
    BeginNotRecorded();
    AddDieCallback(AtDeath);
  }
  HideFromOthers("record_demo=");
  HideFromOthers("play_demo=");
  HideFromOthers("demo_of=");
  SetDemoDirectory(plays ? flags()->play_demo : flags()->record_demo);
  InstallInputs();
  ReplaceStandardInput();
}

void BeginRecording(const char *strategy, u64 seed, const char *parameters) {
  internal_snprintf(schedule_of_recording, sizeof(schedule_of_recording), "schedule=%s seed=%llu%s",
                    strategy, seed, parameters);
  auto meta = recorder->Meta();
  DescribeProcess(meta);
  meta.Add(kKeyStandardInput, IsInput(0) ? kRecorded : kReadAgain);
  DescribeStart(meta);
  DescribeInherited(meta);
  recorder->Begin();
}

void FlushDemo(bool last) {
  if (last)
    LeaveOrder();
  if (!Recording())
    return;
  recorder->Flush(last);
  if (last)
    PrintNotRecorded();
}

void KeepRecording() {
  if (!Recording())
    return;
  ScopedGlobalProcessor processor; // the background thread has none to allocate with
  recorder->Idle();
}

void EndDemoToExecute() {
  if (!Recording())
    return;
  recorder->End();
  PrintNotRecorded();
}

void GoOnWithDemo() {
  if (Recording())
    recorder->GoOn();
}

void AbandonDemo() {
  if (Recording())
    recorder->Abandon();
  EndTimestamps();
  demo_mode = DemoMode::kOff;
}

bool RecordChild(const char *directory) {
  recorder->Abandon();
  ForgetNotRecorded();
  recorder = NewRecorder();
  if (!recorder->TryOpen(directory))
    return false;
  auto meta = recorder->Meta();
  DescribeProcess(meta);
  meta.Add(kKeyForked, "yes");
  recorder->Begin();
  return true;
}

void PlayChild(const char *directory) {
  const MetaReader meta = NewPlayer(directory);
  player->ReadStreams();
  ReadProcess(meta);
  is_child = true;
}

const char *ScheduleOfRecording() { return schedule_of_recording; }

void DemoTick(const ControlledThread *thread, u64 tick) {
  if (thread->thr)
    ExchangeMemory(thread->thr);
  if (Recording())
    recorder->Tick(tick);
  else if (!player->Complete() && tick + 1 >= player->End())
    DemoEnded();
}

void DemoIdles() {
  if (Recording())
    return recorder->Idle();
  // Nothing moves the schedule on but what the demo has for this tick, and for a later one there
  // is no way. A single thread that is away may end the program from where it is.
  const u64 tick = control->scheduler().Ticks();
  if (!NextAsync(tick) && !control->LastIsAway())
    Desynchronised("nothing at this tick, but no thread can run");
}

//===-- What is not as it was ---------------------------------------------===//

void EndDesynchronised(const char *what) {
  Printf(
      "ERROR: ThreadSanitizer: this run is not the recorded one any more. At tick %llu the demo %s "
      "says: %s. The program, its files or its environment may have changed since.\n",
      control->scheduler().Ticks(), player->directory(), what);
  ThreadState *thr = cur_thread();
  demo_mode = DemoMode::kOff;
  LeaveOrder();
  if (ControlledThread *thread = thr->heddle.Controlled()) {
    Printf("  In thread T%u:\n", thread->id);
    ScopedIgnoreInterceptors ignore;
    PrintCurrentStack(thr, StackTrace::GetCurrentPc());
  }
  FlushTrace();
  internal__exit(kExitDesynchronised);
}

void InterruptReplay(int signal) {
  Printf("The replay of %s was ended by signal %d, at tick %llu.\n", player->directory(), signal,
         control->scheduler().Ticks());
  FlushTrace();
  internal__exit(128 + signal);
}

void DemoEnded() {
  LeaveOrder();
  // The recorded one was killed, as its parent's demo says.
  if (is_child) {
    FlushTrace();
    internal__exit(0);
  }
  Printf("The demo %s ends here, at tick %llu.\n", player->directory(),
         control->scheduler().Ticks());
  if (flags()->play_demo_then == DemoEnd::kContinue) {
    demo_mode = DemoMode::kOff;
    return;
  }
  PrintThreads(*control, "");
  FlushTrace();
  internal__exit(0);
}

//===-- ASYNC -------------------------------------------------------------===//

void RecordAsync(u64 tick, ThreadId thread, AsyncKind kind) {
  AsyncEvent event;
  event.tick = tick;
  event.thread = thread;
  event.kind = u8(kind);
  recorder->Async(event);
}

const AsyncEntry *NextAsync(u64 tick) {
  static AsyncEntry entry;
  const AsyncEvent *event = player->NextAsync();
  if (!event || event->tick > tick)
    return nullptr;
  if (event->tick < tick)
    Desynchronised("something happened to thread T%u at tick %llu, but that is over", event->thread,
                   event->tick);
  entry = {event->tick, event->thread, AsyncKind(event->kind)};
  return &entry;
}

void PopAsync() { player->PopAsync(); }

//===-- SIGNAL ------------------------------------------------------------===//

void RecordSignal(ThreadId thread, SignalPlace place, u64 when, const void *info) {
  SignalEvent event;
  event.tick = when;
  event.thread = thread;
  event.place = u8(place);
  event.info = {static_cast<const u8 *>(info), kSignalInfo};
  recorder->Signal(event);
}

namespace {

[[noreturn]] void SignalIsMissed(ThreadId thread, const SignalEvent &event) {
  int number;
  internal_memcpy(&number, event.info.data, sizeof(number)); // its first member
  if (SignalPlace(event.place) == SignalPlace::kCall)
    Desynchronised("thread T%u gets signal %d in its call number %llu, but it is past that", thread,
                   number, event.tick);
  Desynchronised("thread T%u gets signal %d at tick %llu, but that is over", thread, number,
                 event.tick);
}

} // namespace

bool NextSignalIs(ThreadId thread, SignalPlace place, u64 when) {
  const SignalEvent *event = player->NextSignal(thread);
  if (!event || event->place != u8(place))
    return false;
  if (event->tick < when)
    SignalIsMissed(thread, *event);
  return event->tick == when;
}

bool PlaySignal(ThreadId thread, SignalPlace place, u64 when, void *info) {
  if (!NextSignalIs(thread, place, when))
    return false;
  internal_memcpy(info, player->NextSignal(thread)->info.data, kSignalInfo);
  player->PopSignal(thread);
  return true;
}

bool MoreComesFromOutside(u64 tick) {
  bool more = player->NextAsync();
  for (ThreadId thread = 0; thread < control->Threads(); thread++) {
    const SignalEvent *event = player->NextSignal(thread);
    if (event && SignalPlace(event->place) == SignalPlace::kOperation && event->tick < tick)
      SignalIsMissed(thread, *event);
    more |= event != nullptr;
  }
  return more;
}

//===-- QUEUE -------------------------------------------------------------===//

namespace {

class QueueToDemo final : public ChoiceRecorder {
public:
  void Record(Choice choice) override {
    if (choice.kind == ChoiceKind::kThread)
      recorder->Came(choice.options, choice.answer);
  }
};

class QueueFromDemo final : public Chooser {
public:
  u32 Choose(ChoiceKind kind, u32 options) override {
    u32 recorded = 0, answer = 0;
    if (kind != ChoiceKind::kThread || !Playing())
      return other->Choose(kind, options);
    if (!player->NextCame(&recorded, &answer)) {
      if (player->Complete())
        Desynchronised("all threads have come, but there is one more turn");
      return other->Choose(kind, options);
    }
    if (recorded != options || answer >= options)
      Desynchronised("%u threads can run, but there are %u", recorded, options);
    return answer;
  }

  Chooser *other = nullptr;
};

} // namespace

ChoiceRecorder *QueueRecorder() {
  alignas(QueueToDemo) static char memory[sizeof(QueueToDemo)];
  return new (memory) QueueToDemo;
}

static QueueFromDemo *queue_from_demo;

Chooser *QueuePlayer() {
  alignas(QueueFromDemo) static char memory[sizeof(QueueFromDemo)];
  queue_from_demo = new (memory) QueueFromDemo;
  return queue_from_demo;
}

void OtherwiseFrom(Chooser &other) { queue_from_demo->other = &other; }

} // namespace __heddle
