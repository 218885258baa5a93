//===-- heddle_control_liveness.cpp - The time slice ----------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule that waits for a thread which is stuck, in code that we do not see, goes
// on without it.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_control_impl.h"
#include "sanitizer_common/sanitizer_file.h"
#include "sanitizer_common/sanitizer_libc.h"

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
Sample SampleThread(u32 os_id) {
  Sample sample;
  char text[kThreadStatusSize];
  ReadThreadStatus(os_id, text);
  if (const char *state = internal_strstr(text, "State:\t"))
    sample.state = state[7];
  if (const char *switches = internal_strstr(text, "\nvoluntary_ctxt_switches:\t"))
    sample.switches = internal_atoll(switches + 26);
  return sample;
}

} // namespace

void ReadThreadStatus(u32 os_id, char (&text)[kThreadStatusSize]) {
  char path[64];
  uptr size = 0;
  internal_snprintf(path, sizeof(path), "/proc/self/task/%u/status", os_id);
  fd_t file = OpenFile(path, RdOnly);
  if (file != kInvalidFd) {
    ReadFromFile(file, text, sizeof(text) - 1, &size);
    CloseFile(file);
  }
  text[size] = '\0';
}

// The thread has slept for a time slice. If the schedule has stood still all the
// while, waiting for a thread that is stuck in the kernel, in code that we do not
// see, then that thread is away, and others go on. One that only computes is
// waited for: how long that takes must not change the schedule.
void Control::Supervise(ControlledThread *thread, u64 tick) {
  // The timer may have come to nothing.
  if (UNLIKELY(atomic_load_relaxed(&timer_awaited_)) && turn_.TakeFree(kDecider)) {
    atomic_store_relaxed(&timer_awaited_, 0);
    Decide(kNoThread);
    return;
  }
  ThreadId awaited = Awaited();
  if (awaited == kNoThread || awaited == thread->id || tick != atomic_load_relaxed(&ticks_))
    return;
  ControlledThread *other = At(awaited);
  Sample before = SampleThread(other->os_id);
  if (!before.Sleeps())
    return;
  thread->seat.Prepare();
  if (turn_.AwaitedThread() == thread->id || thread->seat.Sleep(time_slice_ms_))
    return;
  Sample after = SampleThread(other->os_id);
  if (!after.Sleeps() || before.switches != after.switches ||
      tick != atomic_load_relaxed(&ticks_) || !TakeFromAwaited(awaited, thread->id))
    return;
  forced_switches_++;
  atomic_store(&other->away, 1, memory_order_release);
  scheduler_.EnterKernel(awaited);
  other->seat.Wake(); // should it have come meanwhile
  Decide(kNoThread);
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
