//===-- heddle_interceptors_signal.cpp - Signals to threads ---------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A signal that one thread of the program sends to another is part of the schedule.
// The kernel would deliver it when it pleases, so it is not sent: to send it is an
// operation, which posts it to the receiver. The receiver sends it to itself when it has
// ended its next operation, and from there on the kernel and upstream do what they do
// with signals: heed the mask, call the handler at the next safe place. A receiver that is
// blocked goes on in the tick of the sender's operation, and so does one that is
// about to block; its wait is interrupted.
//
// Sent at once is what has no handler, since it ends the process or does nothing, and
// what is for a thread in a call that is away from the schedule, and may have to end it.
//
// Signals from elsewhere (timers, other processes, the terminal) come when they come. Only in
// a recording they wait until the thread has ended its next operation, where the demo can
// say that they came; or, if it is in a call that may bring input, away from the schedule,
// they are handled there, like without a schedule: see InCall. In a replay what the demo has
// is raised at the same place, and what really comes from elsewhere is dropped.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_input.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_process_ids.h"
#include "heddle/rtl/heddle_timestamps.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_linux.h"
#include "sanitizer_common/sanitizer_posix.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace __sanitizer;
using namespace __tsan;
using namespace __heddle;

struct __heddle::PostedSignal {
  PostedSignal *next;
  siginfo_t info;
};

// One of each kind, as the kernel keeps them. Of real-time signals, more of a kind that come
// between two operations are lost.
struct __heddle::OutsideSignals {
  atomic_uint64_t mask;
  siginfo_t infos[64];
};

namespace {

constexpr u64 Bit(int signal) { return 1ull << (signal - 1); }

bool HasHandler(int signal) {
  constexpr int kFirstOfLibc = 32; // up to SIGRTMIN, which is a call
  if (signal <= 0 || (signal >= kFirstOfLibc && signal < SIGRTMIN) || signal > SIGRTMAX)
    return false;
  __sanitizer_sigaction action = {};
  return !internal_sigaction(signal, nullptr, &action) &&
         action.handler != reinterpret_cast<__sanitizer_sighandler_ptr>(SIG_DFL) &&
         action.handler != reinterpret_cast<__sanitizer_sighandler_ptr>(SIG_IGN);
}

// A line of a status file.
u64 SignalsOf(const char *text, const char *line) {
  const char *digit = internal_strstr(text, line);
  u64 mask = 0;
  for (digit = digit ? digit + internal_strlen(line) : ""; *digit > ' '; digit++)
    mask = mask << 4 | u64(*digit <= '9' ? *digit - '0' : *digit - 'a' + 10);
  return mask;
}

// The signals that a thread has blocked. Its own, or those of one that waits in the
// schedule: others may be changing theirs.
u64 MaskOf(const ControlledThread *thread) {
  char text[kThreadStatusSize];
  ReadThreadStatus(thread, text);
  return SignalsOf(text, "\nSigBlk:\t");
}

siginfo_t InfoFor(int signal, int code, sigval value = sigval()) {
  siginfo_t info;
  internal_memset(&info, 0, sizeof(info));
  info.si_signo = signal;
  info.si_code = code;
  info.si_pid = ToProgram(int(internal_getpid()));
  info.si_uid = u32(KernelCall(SYS_getuid));
  info.si_value = value;
  return info;
}

// Of a group of processes, it is raised and freed by another one than made it.
PostedSignal *NewPosted() {
  return static_cast<PostedSignal *>(ScheduleMemory::Alloc(sizeof(PostedSignal)));
}

// Like the kernel, which keeps one of each kind, but for those of real time.
bool Post(ControlledThread *thread, const siginfo_t &info) {
  PostedSignal **end = &thread->posted;
  for (; *end; end = &(*end)->next)
    if ((*end)->info.si_signo == info.si_signo && info.si_signo < SIGRTMIN)
      return false;
  *end = NewPosted();
  **end = {nullptr, info};
  return true;
}

// Whether it is to be posted. If not, it is to be sent at once.
bool IsForSchedule(const ControlledThread *receiver, int signal) {
  return receiver && HasHandler(signal) && !atomic_load_relaxed(&receiver->away);
}

// Within an operation.
void Send(VisibleOperation &visible, ControlledThread *receiver, const siginfo_t &info) {
  const bool had = receiver->posted;
  // Who sends the same over and over waits for the receiver.
  if (!Post(receiver, info) || had)
    visible.Unproductive();
  if (control->scheduler().StatusOf(receiver->id) == __heddle::ThreadStatus::kBlocked &&
      !(MaskOf(receiver) & Bit(info.si_signo)))
    control->scheduler().Interrupt(receiver->id);
}

// A signal to a thread. `otherwise` sends it at once.
template <class Otherwise>
int SendToThread(ThreadState *thr, uptr pc, ControlledThread *receiver, const siginfo_t &info,
                 Otherwise otherwise) {
  VisibleOperation visible(thr, pc, OperationKind::kKill,
                           reinterpret_cast<void *>(receiver ? uptr(receiver->id) + 1 : 0));
  if (receiver && HasEnded(receiver)) {
    visible.Unproductive();
    return 0; // as long as it is not joined
  }
  if (receiver == thr->heddle.Controlled()) {
    visible.End();
    return otherwise();
  }
  if (!IsForSchedule(receiver, info.si_signo))
    return otherwise();
  Send(visible, receiver, info);
  return 0;
}

// Who gets a signal to the process: as in the kernel the main thread, unless it has
// blocked it; then, the first that has begun and has not.
ControlledThread *ReceiverInProcess(int signal, MemberId member = this_member) {
  for (u32 i = 0; i < control->Threads(); i++) {
    ControlledThread *thread = control->At(i);
    if (thread->member != member)
      continue;
    const bool begun = i == 0 || control->scheduler().OperationsOf(thread->id) > 0;
    if (begun && !thread->ended && !(MaskOf(thread) & Bit(signal)))
      return thread;
  }
  return nullptr;
}

bool EndsByDefault(int signal) {
  switch (signal) {
  case SIGCHLD:
  case SIGCONT:
  case SIGURG:
  case SIGWINCH:
  case SIGSTOP:
  case SIGTSTP:
  case SIGTTIN:
  case SIGTTOU:
    return false;
  default:
    return signal > 0 && signal <= SIGRTMAX;
  }
}

// What a signal does to another process: it is handled, or ends it, so that this may be waited for,
// or something else.
enum class Effect : u8 { kHandled, kEnds, kOther };
Effect EffectOn(MemberId member, int signal) {
  if (signal == SIGKILL)
    return Effect::kEnds;
  char path[64], text[kThreadStatusSize];
  internal_snprintf(path, sizeof(path), "/proc/%u/status",
                    atomic_load_relaxed(&MemberAt(member).process));
  ReadStatusFile(path, text);
  if (SignalsOf(text, "\nSigCgt:\t") & Bit(signal))
    return Effect::kHandled;
  const u64 without = SignalsOf(text, "\nSigIgn:\t") | SignalsOf(text, "\nSigBlk:\t");
  return EndsByDefault(signal) && !(without & Bit(signal)) ? Effect::kEnds : Effect::kOther;
}

// A signal to another process. If that is in the schedule, its handler is called when it is by the
// schedule; and if it dies of the signal, it is dead when the operation ends.
template <class Kill>
int KillInGroup(ThreadState *thr, uptr pc, int process, const siginfo_t &info, Kill kill) {
  VisibleOperation visible(thr, pc, OperationKind::kKill, nullptr);
  const int signal = info.si_signo;
  const MemberId member = process > 0 ? FindMember(process) : kNoMember;
  if (!visible.controlled() || member == kNoMember || signal <= 0 || signal > 64)
    return kill();
  switch (EffectOn(member, signal)) {
  case Effect::kHandled: {
    ControlledThread *receiver = ReceiverInProcess(signal, member);
    if (!receiver || atomic_load_relaxed(&receiver->away))
      return kill();
    Send(visible, receiver, info);
    return 0;
  }
  case Effect::kEnds: {
    const int result = control->KillMember(member, kill);
    control->Bury(member);
    return result;
  }
  case Effect::kOther:
    break;
  }
  return kill();
}

template <class Otherwise>
int SendToProcess(ThreadState *thr, uptr pc, const siginfo_t &info, Otherwise otherwise) {
  VisibleOperation visible(thr, pc, OperationKind::kKill, nullptr);
  ControlledThread *receiver =
      HasHandler(info.si_signo) ? ReceiverInProcess(info.si_signo) : nullptr;
  if (receiver == thr->heddle.Controlled()) {
    // The kernel might choose another, if this is not the main thread.
    PostedSignal *self = NewPosted();
    *self = {nullptr, info};
    visible.End();
    Raise(receiver, self);
    HandleSignals(thr);
    return 0;
  }
  if (!IsForSchedule(receiver, info.si_signo))
    return otherwise();
  Send(visible, receiver, info);
  return 0;
}

} // namespace

namespace __heddle {

namespace {

// Signals the calling thread, now.
void RaiseNow(ControlledThread *thread, const siginfo_t &info) {
  thread->raising = info.si_signo;
  KernelCall(SYS_rt_tgsigqueueinfo, internal_getpid(), GetTid(), info.si_signo, &info);
  thread->raising = 0;
}

// The same, also if it has blocked the signal: a call such as sigsuspend lets it in.
void RaiseUnblocked(ControlledThread *thread, const siginfo_t &info) {
  const u64 signal = Bit(info.si_signo);
  u64 mask = 0;
  KernelCall(SYS_rt_sigprocmask, SIG_UNBLOCK, &signal, &mask, sizeof(mask));
  RaiseNow(thread, info);
  KernelCall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, nullptr, sizeof(mask));
}

// Those that were given back as if this process had sent them, and what they were. Like the kernel,
// one of each kind.
atomic_uint8_t given_back[64];
siginfo_t given_back_infos[64];

// Back to where the kernel took it from, for a thread that has since blocked it: what is for the
// process is for whichever of its threads has not, and must not wait with this one. (A timer's is
// taken to be for the process.)
void GiveBack(const siginfo_t &info) {
  const int before = errno, signal = info.si_signo;
  const uptr process = internal_getpid();
  if (info.si_code == SI_TKILL) {
    KernelCall(SYS_rt_tgsigqueueinfo, process, GetTid(), signal, &info);
  } else if (info.si_code < 0) {
    KernelCall(SYS_rt_sigqueueinfo, process, signal, &info);
  } else {
    // Only the main thread may say that it came from another process.
    internal_memcpy(&given_back_infos[signal - 1], &info, sizeof(info));
    atomic_store(&given_back[signal - 1], 1, memory_order_release);
    KernelCall(SYS_kill, process, signal);
  }
  errno = before;
}

// A signal that was given back says again where it came from.
void TakeBack(int signal, siginfo_t *info) {
  if (LIKELY(!atomic_load_relaxed(&given_back[signal - 1])) || info->si_code != SI_USER ||
      info->si_pid != int(internal_getpid()))
    return;
  if (atomic_exchange(&given_back[signal - 1], 0, memory_order_acquire))
    internal_memcpy(info, &given_back_infos[signal - 1], sizeof(*info));
}

// Calls `each` with those that came so far, and that the thread has not blocked since.
template <class Each> void TakeFromOutside(ControlledThread *thread, Each each) {
  const u64 mask = atomic_exchange(&thread->outside->mask, 0, memory_order_acq_rel);
  const u64 blocked = MaskOf(thread);
  for (int signal = 1; signal <= 64; signal++) {
    if (!(mask & Bit(signal)))
      continue;
    const siginfo_t info = thread->outside->infos[signal - 1];
    if (blocked & Bit(signal))
      GiveBack(info);
    else
      each(info);
  }
}

} // namespace

void Raise(ControlledThread *thread, PostedSignal *signals) {
  while (signals) {
    PostedSignal *signal = signals;
    signals = signal->next;
    RaiseNow(thread, signal->info);
    ScheduleMemory::Free(signal, sizeof(*signal));
  }
}

OutsideSignals *NewOutsideSignals() {
  auto *signals = static_cast<OutsideSignals *>(Alloc(sizeof(OutsideSignals)));
  internal_memset(signals, 0, sizeof(*signals));
  return signals;
}

void ForgetOutsideSignals(OutsideSignals *signals) { atomic_store_relaxed(&signals->mask, 0); }

bool HasFromOutside(const ControlledThread *thread) {
  return thread->outside && atomic_load_relaxed(&thread->outside->mask);
}

void PostFromOutside(ControlledThread *thread, u64 tick) {
  static_assert(sizeof(siginfo_t) == kSignalInfo, "it is written down as it is");
  siginfo_t info;
  if (Playing()) {
    while (PlaySignal(thread->id, SignalPlace::kOperation, tick, &info))
      Post(thread, info);
    return;
  }
  if (!HasFromOutside(thread))
    return;
  TakeFromOutside(thread, [&](const siginfo_t &each) {
    RecordSignal(thread->id, SignalPlace::kOperation, tick, &each);
    Post(thread, each);
  });
}

bool ComesFromOutside(const ControlledThread *thread, u64 tick) {
  return Playing() ? NextSignalIs(thread->id, SignalPlace::kOperation, tick)
                   : HasFromOutside(thread);
}

InCall::InCall(ControlledThread *thread)
    : thread_(thread), was_blocking_(atomic_load_relaxed(&thread->thr->in_blocking_func)),
      was_in_call_(thread->in_call) {
  if (thread->inside)
    return;
  ThreadState *thr = thread->thr;
  // As upstream does around its blocking calls: none is to be left behind.
  for (;;) {
    thread->in_call = true;
    atomic_store_relaxed(&thr->in_blocking_func, 1);
    if (LIKELY(!atomic_load_relaxed(&thr->pending_signals)))
      break;
    atomic_store_relaxed(&thr->in_blocking_func, 0);
    ProcessPendingSignals(thr);
  }
  while (UNLIKELY(HasFromOutside(thread))) {
    TakeFromOutside(thread, [&](const siginfo_t &info) {
      // One that comes meanwhile is kept: it would find the recording in the middle of this one,
      // and be handled before it.
      atomic_store_relaxed(&thr->in_blocking_func, 0);
      RecordSignal(thread->id, SignalPlace::kCall, thread->inputs, &info);
      thread->raising = info.si_signo;
      atomic_store_relaxed(&thr->in_blocking_func, 1);
      RaiseNow(thread, info);
    });
  }
}

InCall::~InCall() {
  thread_->in_call = was_in_call_;
  atomic_store_relaxed(&thread_->thr->in_blocking_func, was_blocking_);
}

void RaiseInCall(ControlledThread *thread) {
  siginfo_t info;
  while (PlaySignal(thread->id, SignalPlace::kCall, thread->inputs, &info))
    RaiseUnblocked(thread, info);
}

bool KeepSignal(ThreadState *thr, int signal, const void *info) {
  ControlledThread *thread = thr->heddle.Controlled();
  if (LIKELY(demo_mode == DemoMode::kOff) || !thread || signal < 1 || signal > 64)
    return false;
  if (thread->raising == signal) {
    thread->raising = 0; // while its handler runs, others may come
    return false;
  }
  TakeBack(signal, static_cast<siginfo_t *>(const_cast<void *>(info)));
  if (Playing()) {
    // Whoever wants the replay to end means the replay, not the program.
    const auto *sent = static_cast<const siginfo_t *>(info);
    if ((signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT) &&
        sent->si_pid != int(internal_getpid()))
      InterruptReplay(signal);
    return true;
  }
  // A handler that jumps out of a call leaves in_call behind, but not the other.
  if (thread->in_call && atomic_load_relaxed(&thr->in_blocking_func) && !thread->inside &&
      !thread->raising) {
    RecordSignal(thread->id, SignalPlace::kCall, thread->inputs, info);
    return false;
  }
  internal_memcpy(&thread->outside->infos[signal - 1], info, sizeof(siginfo_t));
  // Nobody but the thread itself changes it.
  atomic_store_relaxed(&thread->outside->mask,
                       atomic_load_relaxed(&thread->outside->mask) | Bit(signal));
  return true;
}

bool SignalIsDue(const ControlledThread *thread) {
  if (atomic_load_relaxed(&thread->thr->pending_signals))
    return true;
  if (LIKELY(!thread->posted))
    return false;
  const u64 mask = MaskOf(thread);
  for (const PostedSignal *signal = thread->posted; signal; signal = signal->next)
    if (!(mask & Bit(signal->info.si_signo)))
      return true;
  return false;
}

void ThreadExtension::SignalComes(int flags) {
  interrupts_ |= !(flags & SA_RESTART);
  AllowTimestamps();
}

bool HandleSignals(ThreadState *thr) {
  thr->heddle.TakeInterrupt(); // of signals before
  ProcessPendingSignals(thr);
  return thr->heddle.TakeInterrupt();
}

} // namespace __heddle

HEDDLE_INTERCEPTOR(int, pthread_kill, void *handle, int signal) {
  HEDDLE_CONTROLLED(pthread_kill, handle, signal);
  return SendToThread(thr, pc, FindThread(reinterpret_cast<uptr>(handle)),
                      InfoFor(signal, SI_TKILL),
                      [&] { return __interceptor_pthread_kill(handle, signal); });
}

HEDDLE_NEW_INTERCEPTOR(int, pthread_sigqueue, (void *handle, int signal, sigval value),
                       (handle, signal, value)) {
  HEDDLE_CONTROLLED(pthread_sigqueue, handle, signal, value);
  return SendToThread(thr, pc, FindThread(reinterpret_cast<uptr>(handle)),
                      InfoFor(signal, SI_QUEUE, value),
                      [&] { return __interceptor_pthread_sigqueue(handle, signal, value); });
}

HEDDLE_INTERCEPTOR(int, kill, int process, int signal) {
  process = ToKernel(process);
  HEDDLE_CONTROLLED(kill, process, signal);
  if (!IsThisProcess(process) && UNLIKELY(processes_together))
    return KillInGroup(thr, pc, process, InfoFor(signal, SI_USER),
                       [&] { return __interceptor_kill(process, signal); });
  if (!IsThisProcess(process))
    return __interceptor_kill(process, signal);
  return SendToProcess(thr, pc, InfoFor(signal, SI_USER),
                       [&] { return __interceptor_kill(int(internal_getpid()), signal); });
}

HEDDLE_NEW_INTERCEPTOR(int, sigqueue, (int process, int signal, sigval value),
                       (process, signal, value)) {
  process = ToKernel(process);
  HEDDLE_CONTROLLED(sigqueue, process, signal, value);
  if (!IsThisProcess(process) && UNLIKELY(processes_together))
    return KillInGroup(thr, pc, process, InfoFor(signal, SI_QUEUE, value),
                       [&] { return __interceptor_sigqueue(process, signal, value); });
  if (!IsThisProcess(process))
    return __interceptor_sigqueue(process, signal, value);
  return SendToProcess(thr, pc, InfoFor(signal, SI_QUEUE, value), [&] {
    return __interceptor_sigqueue(int(internal_getpid()), signal, value);
  });
}

// What was posted to the thread before is pending.
HEDDLE_INTERCEPTOR(int, sigpending, void *signals) {
  HEDDLE_CONTROLLED(sigpending, signals);
  {
    VisibleOperation visible(thr, pc, OperationKind::kSystemCall, nullptr);
    visible.Unproductive();
  }
  return __interceptor_sigpending(signals);
}
