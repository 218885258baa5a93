//===-- heddle_whereabouts.cpp - Where another thread is ------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The signal is one that the program does nothing with. Its handler is the kernel's to call, past
// ThreadSanitizer's, and it stays: a thread that is slow to answer must not end the process.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_whereabouts.h"

#include "heddle/rtl/heddle_cancel.h"
#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_openmp.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_linux.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {
namespace {

atomic_uint32_t asked; // the system's number of the thread
atomic_uint8_t asked_to_yield;
atomic_uintptr_t answered_pc, answered_progress;

void Answer(int, __sanitizer_siginfo *info, void *context) {
  ThreadState *thr = cur_thread();
  const uptr pc = SignalContext(info, context).pc;
  if (GetTid() == atomic_load(&asked, memory_order_acquire)) {
    // The runtime of OpenMP is in no call: it might as well have yielded by itself.
    const bool yields = atomic_load_relaxed(&asked_to_yield) && IsOpenMp(pc);
    atomic_store_relaxed(&answered_progress, atomic_load_relaxed(&thr->trace_pos));
    atomic_store(&answered_pc, pc, memory_order_release);
    if (yields) {
      const int error = errno;
      VisibleOperation(thr, pc, OperationKind::kYield, nullptr);
      errno = error;
    }
  }
  ControlledThread *thread = thr->heddle.Controlled();
  if (thread && atomic_exchange(&thread->told_to_end, 0, memory_order_acq_rel))
    CancelWhereItIs(thread, context);
}

// One that has our handler already, or none at all; or 0. Not those of libc, nor the last ones,
// which programs that count from the end take.
int SignalToAskWith() {
  constexpr int kFirst = 36, kLast = 58;
  for (int signal = kLast; signal >= kFirst; signal--) {
    __sanitizer_sigaction action = {};
    if (internal_sigaction(signal, nullptr, &action))
      continue;
    const auto handler = reinterpret_cast<uptr>(action.sigaction);
    if (handler == reinterpret_cast<uptr>(&Answer))
      return signal;
    if (handler)
      continue;
    action = {};
    action.sigaction = &Answer;
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    if (!internal_sigaction(signal, &action, nullptr))
      return signal;
  }
  return 0;
}

bool HasBlocked(const ControlledThread *thread, int signal) {
  char text[kThreadStatusSize];
  ReadThreadStatus(thread, text);
  const char *blocked = internal_strstr(text, "\nSigBlk:\t");
  if (!blocked)
    return true;
  u64 mask = 0;
  for (const char *at = blocked + 9; *at && *at != '\n'; at++)
    mask = mask << 4 | u64(*at <= '9' ? *at - '0' : *at - 'a' + 10);
  return mask >> (signal - 1) & 1;
}

} // namespace

u64 ProcessorTimeOf(const ControlledThread *thread) {
  // The kernel's numbers for the clocks of threads: not libc's to make, as it wants a pthread_t.
  constexpr u32 kOfThread = 4, kScheduled = 2;
  timespec time = {};
  KernelCall(SYS_clock_gettime, long(int(~thread->os_id << 3 | kOfThread | kScheduled)), &time);
  return u64(time.tv_sec) * 1'000'000'000 + u64(time.tv_nsec);
}

// Returns where the thread is, or 0 if it does not answer.
static uptr Ask(const ControlledThread *thread, int milliseconds, bool to_yield) {
  const int signal = SignalToAskWith();
  if (!signal || HasBlocked(thread, signal))
    return 0;
  uptr pc = 0;
  atomic_store_relaxed(&answered_pc, 0);
  atomic_store_relaxed(&asked_to_yield, to_yield);
  atomic_store(&asked, thread->os_id, memory_order_release);
  if (!KernelCall(SYS_tgkill, internal_getpid(), thread->os_id, signal)) {
    const u64 end = MonotonicNanoTime() + u64(milliseconds) * 1'000'000;
    while (!(pc = atomic_load(&answered_pc, memory_order_acquire)) && MonotonicNanoTime() < end)
      internal_usleep(200);
  }
  atomic_store_relaxed(&asked, 0);
  return pc;
}

void TellToEnd(ControlledThread *thread) {
  const int signal = SignalToAskWith();
  if (!signal || HasBlocked(thread, signal))
    return;
  atomic_store(&thread->told_to_end, 1, memory_order_release);
  KernelCall(SYS_tgkill, internal_getpid(), thread->os_id, signal);
}

Whereabouts AskForWhereabouts(const ControlledThread *thread, int milliseconds) {
  Whereabouts result;
  result.pc = Ask(thread, milliseconds, /*to_yield=*/false);
  if (!result.pc)
    return result;
  result.progress = atomic_load_relaxed(&answered_progress);
  result.processor_time = ProcessorTimeOf(thread);
  return result;
}

void AskToYield(const ControlledThread *thread, int milliseconds) {
  Ask(thread, milliseconds, /*to_yield=*/true);
}

} // namespace __heddle
