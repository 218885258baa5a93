//===-- heddle_control_liveness.cpp - The time slice ----------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule that waits for a thread which is stuck, in code that we do not see, goes
// on without it. A thread is stuck if it sleeps in the kernel for a time slice, or if it runs for
// one, of processor time, in a library that is not instrumented, without a call to the runtime: so
// threads of other runtimes wait for each other (libomp, at the end of a process). What is
// instrumented, the program and libc are waited for however long they compute: who has to wait for
// them does not depend on time.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_modules.h"
#include "heddle/rtl/heddle_not_recorded.h"
#include "heddle/rtl/heddle_openmp.h"
#include "heddle/rtl/heddle_time.h"
#include "heddle/rtl/heddle_whereabouts.h"
#include "sanitizer_common/sanitizer_file.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_posix.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {
namespace {

struct Sample {
  char state = 0;
  u64 switches = 0; // voluntary ones

  bool Sleeps() const { return state == 'S' || state == 'D'; }
};

// How the kernel sees a thread.
Sample SampleThread(const ControlledThread *thread) {
  Sample sample;
  char text[kThreadStatusSize];
  ReadThreadStatus(thread, text);
  if (const char *state = internal_strstr(text, "State:\t"))
    sample.state = state[7];
  if (const char *switches = internal_strstr(text, "\nvoluntary_ctxt_switches:\t"))
    sample.switches = internal_atoll(switches + 26);
  return sample;
}

int OpenStatusFile(const char *path) {
  const uptr file = internal_open(path, O_RDONLY | O_CLOEXEC);
  return internal_iserror(file) ? -1 : int(file);
}

int OpenStatusOf(const ControlledThread *thread) {
  char path[64];
  if (IsOurs(thread))
    internal_snprintf(path, sizeof(path), "/proc/self/task/%u/status", thread->os_id);
  else
    internal_snprintf(path, sizeof(path), "/proc/%u/task/%u/status", ProcessOf(thread),
                      thread->os_id);
  return OpenStatusFile(path);
}

void ReadFrom(int file, char (&text)[kThreadStatusSize]) {
  const sptr size = file < 0 ? -1 : KernelCall(SYS_pread64, file, text, sizeof(text) - 1, 0);
  text[size < 0 ? 0 : size] = '\0';
}

// Opens a file for as long as it is read.
template <class Open> void OpenAndRead(char (&text)[kThreadStatusSize], Open open) {
  int locked = LockDescriptors();
  const int file = open();
  ReadFrom(file, text);
  if (file >= 0)
    internal_close(file);
  UnlockDescriptors(&locked);
}

// A report takes its time: symbols come from another process. Who makes it, or waits to make the
// next one, is not stuck, or the schedule would depend on that time.
bool SomebodyReports() SANITIZER_NO_THREAD_SAFETY_ANALYSIS {
  if (!ctx->report_mtx.TryLock())
    return true;
  ctx->report_mtx.Unlock();
  return false;
}

} // namespace

// With a demo it is open as long as the thread lives: to open it when it is needed would take a
// number that a thread which is away may be about to get. Otherwise it is not, as few threads are
// ever asked, and the system takes a millisecond to end a process of which such files were open.
void OpenThreadStatus(ControlledThread *thread) {
  if (demo_mode == DemoMode::kOff)
    return;
  const int file = OpenStatusOf(thread);
  thread->status_file = file < 0 ? -1 : MoveOutOfTheWay(file);
}

void CloseThreadStatus(ControlledThread *thread) {
  if (thread->status_file >= 0)
    CloseOwnDescriptor(thread->status_file);
  thread->status_file = -1;
}

void ReadThreadStatus(const ControlledThread *thread, char (&text)[kThreadStatusSize]) {
  if (demo_mode != DemoMode::kOff)
    return ReadFrom(thread->status_file, text);
  OpenAndRead(text, [&] { return OpenStatusOf(thread); });
}

void ReadStatusFile(const char *path, char (&text)[kThreadStatusSize]) {
  OpenAndRead(text, [&] { return OpenStatusFile(path); });
}

// Whether `other` sleeps in the kernel for a whole time slice, in which nothing happens. So long
// `thread`, which waits for its turn, waits.
bool Control::SleepsForSlice(ThreadId other, ControlledThread *thread, u64 tick) {
  const Sample before = SampleThread(At(other));
  if (!before.Sleeps())
    return false;
  thread->seat.Prepare();
  if (turn_.AwaitedThread() == thread->id || thread->seat.Sleep(time_slice_ms_))
    return false;
  const Sample after = SampleThread(At(other));
  return after.Sleeps() && before.switches == after.switches &&
         tick == atomic_load_relaxed(&ticks_) && !SomebodyReports();
}

// Whether `other` has run for a whole time slice where we do not see what it does. Each thread
// that waits asks this once a slice, and what one of them finds, another confirms.
bool Control::BurnsForSlice(ThreadId other, u64 tick) {
  if (!SomeCodeIsUnseen() || !asking_.TryLock())
    return false;
  // Looked for too often it would have no time to go on.
  if (elsewhere_.thread == other && elsewhere_.tick == tick &&
      MonotonicNanoTime() - elsewhere_.time < u64(time_slice_ms_) * kMillisecond) {
    asking_.Unlock();
    return false;
  }
  const Whereabouts now = AskForWhereabouts(At(other), time_slice_ms_);
  bool burns = false;
  elsewhere_ = {kNoThread, 0, 0};
  if (!now.pc || !IsUnseenCode(now.pc)) {
    burning_.thread = kNoThread;
    elsewhere_ = {other, tick, MonotonicNanoTime()};
  } else if (burning_.thread != other || burning_.tick != tick ||
             burning_.progress != now.progress) {
    burning_ = {other, tick, now.progress, now.processor_time};
  } else {
    const u64 time = now.processor_time - burning_.since;
    burns = time >= u64(time_slice_ms_) * kMillisecond;
    if (IsOpenMp(now.pc) && atomic_load_relaxed(&keeper_) == other) {
      burns = false;
      if (time >= kOpenMpLoop) {
        AskToYield(At(other), time_slice_ms_);
        burning_.thread = kNoThread;
      }
    }
  }
  asking_.Unlock();
  return burns && tick == atomic_load_relaxed(&ticks_) && !SomebodyReports();
}

// Whether `other` has computed for a whole time slice, and lets others cancel it there: it may be
// waiting for just that.
bool Control::ComputesForSlice(ThreadId other, u64 tick) {
  const ControlledThread *thread = At(other);
  if (!thread->async || thread->ending || thread->cancelled || !asking_.TryLock())
    return false;
  const u64 now = ProcessorTimeOf(thread);
  bool computes = false;
  if (computing_.thread != other || computing_.tick != tick)
    computing_ = {other, tick, 0, now};
  else
    computes = now - computing_.since >= u64(time_slice_ms_) * kMillisecond;
  asking_.Unlock();
  return computes && tick == atomic_load_relaxed(&ticks_) && !SomebodyReports();
}

// Those that have been cancelled since, and have not come to an operation for so long, have none.
void Control::CancelThoseWhoCompute() {
  for (u32 i = 0; i < Threads(); i++) {
    ControlledThread *thread = At(i);
    if (thread->cancelled && thread->async && !thread->ending && thread->thr && IsOurs(thread) &&
        ProcessorTimeOf(thread) - thread->cancelled_at >= u64(time_slice_ms_) * kMillisecond)
      TellToEnd(thread);
  }
}

// The thread sleeps, and looks now and then whether another is in a loop of OpenMP's runtime. False
// if the time is over.
bool Control::SleepWithOpenMp(ControlledThread *thread, int milliseconds) {
  for (; milliseconds > kOpenMpSlice; milliseconds -= kOpenMpSlice) {
    if (thread->seat.Sleep(kOpenMpSlice))
      return true;
    const ThreadId keeper = atomic_load_relaxed(&keeper_);
    if (keeper != kNoThread && !SampleThread(At(keeper)).Sleeps())
      BurnsForSlice(keeper, atomic_load_relaxed(&ticks_));
  }
  return thread->seat.Sleep(milliseconds);
}

Control::Stuck Control::IsStuck(ThreadId other, ControlledThread *thread, u64 tick) {
  if (SampleThread(At(other)).Sleeps())
    return SleepsForSlice(other, thread, tick) ? Stuck::kSleeps : Stuck::kNo;
  if (BurnsForSlice(other, tick))
    return Stuck::kBurns;
  return ComputesForSlice(other, tick) ? Stuck::kComputes : Stuck::kNo;
}

// The thread has slept for a time slice. If the schedule has stood still all the
// while, waiting for a thread that is stuck in code that we do not see, then that thread is away,
// and others go on.
void Control::Supervise(ControlledThread *thread, u64 tick) {
  if (UNLIKELY(one_at_a_time_))
    SuperviseKeeper(thread, tick);
  if (UNLIKELY(async_cancels))
    CancelThoseWhoCompute();
  if (UNLIKELY(Playing()))
    return SuperviseReplay(tick);
  if (UNLIKELY(processes_together) && BuryDead(thread))
    return;
  // The timer may have come to nothing.
  if (UNLIKELY(atomic_load_relaxed(&timer_awaited_)) && turn_.TakeFree(Decider())) {
    atomic_store_relaxed(&timer_awaited_, 0);
    Decide(kNoThread);
    return;
  }
  ThreadId awaited = Awaited();
  if (awaited == kNoThread || awaited == thread->id || tick != atomic_load_relaxed(&ticks_))
    return;
  const Stuck stuck = IsStuck(awaited, thread, tick);
  if (stuck == Stuck::kNo || !TakeFromAwaited(awaited, thread->id))
    return;
  LoopNotRecordedIf(stuck == Stuck::kBurns);
  if (UNLIKELY(Recording()))
    RecordAsync(scheduler_.Ticks(), awaited, AsyncKind::kStuck);
  SendAway(awaited);
  Decide(kNoThread);
}

// The thread that runs alone is stuck between two operations: it may wait for one
// of the others. From here on it is one that is late for its next operation. Who is next does not
// depend on it.
void Control::SuperviseKeeper(ControlledThread *thread, u64 tick) {
  const ThreadId keeper = atomic_load_relaxed(&keeper_);
  if (keeper == kNoThread || keeper == thread->id)
    return;
  const Stuck stuck = IsStuck(keeper, thread, tick);
  if (stuck == Stuck::kNo || !TakeFromKeeper(keeper))
    return;
  LoopNotRecordedIf(stuck == Stuck::kBurns);
  atomic_store_relaxed(&ticks_, scheduler_.Ticks());
  Decide(keeper);
}

// A replay goes on without nobody. But if whom it waits for sleeps all the while, in a call
// that really waits, it would wait for ever.
void Control::SuperviseReplay(u64 tick) {
  const u64 now = MonotonicNanoTime();
  ThreadId awaited = kNoThread;
  {
    SpinMutexLock lock(&mutex_);
    if (stalled_at_ != tick || !stalled_since_ || SomebodyReports()) {
      stalled_at_ = tick;
      stalled_since_ = now;
    }
    if (now - stalled_since_ < kPatience)
      return;
    awaited = turn_.AwaitedThread();
    const AsyncEntry *entry = turn_.IsFree() ? NextAsync(tick) : nullptr;
    if (entry)
      awaited = entry->thread;
  }
  if (awaited == kNoThread || tick != atomic_load_relaxed(&ticks_))
    return;
  if (awaited >= Threads() || SampleThread(At(awaited)).Sleeps())
    Desynchronised("thread T%u goes on now, but it is stuck in the kernel", awaited);
}

// The thread that the schedule waits for, if it has not come.
ThreadId Control::Awaited() {
  if (!needs_next_)
    return turn_.AwaitedThread();
  SpinMutexLock lock(&mutex_);
  const auto &enabled = scheduler_.Enabled();
  for (u32 i = 0; gathering_ && i < enabled.Count(); i++)
    if (!threads_[enabled[i]]->arrived)
      return enabled[i];
  return kNoThread;
}

bool Control::TakeFromAwaited(ThreadId awaited, ThreadId thread) {
  if (!needs_next_)
    return turn_.TakeFrom(awaited, thread);
  SpinMutexLock lock(&mutex_);
  if (!gathering_ || threads_[awaited]->arrived)
    return false;
  gathering_ = false;
  return true;
}

} // namespace __heddle
