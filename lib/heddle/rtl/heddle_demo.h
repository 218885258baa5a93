//===-- heddle_demo.h - A run is recorded, or a recording is played -------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between the schedule, the calls that bring input and the demo on disk
// (lib/heddle/demo). The seed determines a run but for what comes from outside of it:
//
//   ASYNC    at which tick a thread came back from the kernel, was interrupted, or
//            was found to be stuck in code that the schedule does not see
//   SIGNAL   which signals came from outside, and where they were handled
//   SYSCALL  what calls that bring input returned
//   QUEUE    who came first, where that decides (schedule=queue)
//
// Each stream has an order of its own. What is asked for in a replay is the next
// entry of a stream, or of a thread in it: if it does not fit, the program is not
// where the recording was, and the replay ends with a message.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_DEMO_H
#define HEDDLE_RTL_DEMO_H

#include "heddle/choice/choice_stream.h"
#include "heddle/schedule/operation.h"
#include "sanitizer_common/sanitizer_libc.h"

namespace __heddle {

struct ControlledThread;

constexpr uptr kMostDemoPath = 512; // of a directory

enum class DemoMode : u8 { kOff, kRecording, kPlaying };
extern DemoMode demo_mode;

inline bool Recording() { return demo_mode == DemoMode::kRecording; }
inline bool Playing() { return demo_mode == DemoMode::kPlaying; }

//===-- From start to end -------------------------------------------------===//

// From the flags, and in a replay to the flags: what the demo says about the schedule.
void StartDemo();
// META, when the seed is known.
void BeginRecording(const char *strategy, u64 seed, const char *parameters);
// All that is there so far is on disk when it returns. At the end, or when the program
// is about to be killed by its own doing.
void FlushDemo(bool last);
// The process is about to become another program: that is the end of this demo. If there is no such
// program, it goes on.
void EndDemoToExecute();
void GoOnWithDemo();
// From the background thread: what waits to be written is, if nobody runs.
void KeepRecording();
// In the child of a fork: the demo is the parent's.
void AbandonDemo();
// After each operation. Now and then it writes what has gathered.
void DemoTick(const ControlledThread *thread, u64 tick);
// Nobody can go on before something comes from outside.
void DemoIdles();

//===-- What is not as it was ---------------------------------------------===//

// Ends the process, with an exit code of its own. What the demo has, and what the program does.
[[noreturn]] void EndDesynchronised(const char *what);
template <class... Values> [[noreturn]] void Desynchronised(const char *format, Values... values) {
  char text[256];
  __sanitizer::internal_snprintf(text, sizeof(text), format, values...);
  EndDesynchronised(text);
}
// Somebody sent the replay a signal to end it.
[[noreturn]] void InterruptReplay(int signal);
// It has come there: stops, or from now on the program is free.
void DemoEnded();

//===-- ASYNC -------------------------------------------------------------===//

enum class AsyncKind : u8 {
  kReturned,    // from the kernel
  kInterrupted, // a wait, by a signal
  kExpired,     // a timed wait, by the system's clock
  kStuck,       // the thread is away by no doing of its own
  kTimePassed,  // nobody could run; instead of a thread, so many milliseconds
  kLast = kTimePassed,
};

struct AsyncEntry {
  u64 tick;
  ThreadId thread;
  AsyncKind kind;
};

void RecordAsync(u64 tick, ThreadId thread, AsyncKind kind);
// The next one, if it is of this tick.
const AsyncEntry *NextAsync(u64 tick);
void PopAsync();

//===-- SIGNAL ------------------------------------------------------------===//

constexpr uptr kSignalInfo = 128; // bytes of a siginfo_t

enum class SignalPlace : u8 {
  kOperation, // at the end of the operation of that tick
  kCall,      // in a call, when the thread had made so many
  kLast = kCall,
};

void RecordSignal(ThreadId thread, SignalPlace place, u64 when, const void *info);
// Whether the next one of the thread is there and then.
bool NextSignalIs(ThreadId thread, SignalPlace place, u64 when);
// Takes it, if so. `info` has kSignalInfo bytes.
bool PlaySignal(ThreadId thread, SignalPlace place, u64 when, void *info);

// Whether any thread's is still to come, or something that is asynchronous. If one should have come
// before that tick the replay ends.
bool MoreComesFromOutside(u64 tick);

//===-- QUEUE -------------------------------------------------------------===//

// For schedule=queue: keeps the order of threads, or answers with it. All else is up to
// another chooser.
ChoiceRecorder *QueueRecorder();
Chooser *QueuePlayer();
void OtherwiseFrom(Chooser &other);

} // namespace __heddle

#endif // HEDDLE_RTL_DEMO_H
