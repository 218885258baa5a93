//===-- heddle_interceptors_futex.cpp - Futexes and yields ----------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C++20's waits and notifications, and what people build themselves, reach the
// kernel through libc's syscall(). A futex there is an operation of the schedule:
// waiters block in the scheduler, and which of them a wake-up reaches is a choice
// (the kernel would take the one that has waited longest). Whether the word has
// the expected value is looked at within the operation, so no wake-up is lost.
//
// Happens-before comes from the atomics that go with a futex; upstream says
// nothing about the call either. What a load may read after a call is less than
// that leaves open: "Futexes" in docs/weak-memory.md has the rules.
//
// Other threads than controlled ones, and other processes, may wait in the kernel:
// what is left of a wake-up goes there. A wait on memory that is shared with other
// processes, and all that has to do with priority inheritance, is left to the
// kernel, with the thread away from the schedule; so are other system calls that
// may block.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_async_io.h"
#include "heddle/rtl/heddle_direct_calls.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_membarrier.h"
#include "heddle/rtl/heddle_not_recorded.h"
#include "heddle/rtl/heddle_process_ids.h"
#include "heddle/rtl/heddle_shared_memory.h"
#include "heddle/rtl/heddle_time.h"
#include "heddle/rtl/heddle_weak_memory.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <time.h>

using namespace __sanitizer;
using namespace __tsan;
using namespace __heddle;

namespace {

struct Arguments {
  long a, b, c, d, e, f;
};

#ifdef SYS_futex_waitv
constexpr u32 kSizeOfFutex = 3; // in futex_waitv::flags
#endif

// The kernel's answer: an error is the negative of its errno.
long Kernel(long number, const Arguments &args) {
#if defined(__x86_64__)
  long result = number;
  register long r10 __asm__("r10") = args.d;
  register long r8 __asm__("r8") = args.e;
  register long r9 __asm__("r9") = args.f;
  __asm__ volatile("syscall"
                   : "+a"(result)
                   : "D"(args.a), "S"(args.b), "d"(args.c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = args.a;
  register long x1 __asm__("x1") = args.b;
  register long x2 __asm__("x2") = args.c;
  register long x3 __asm__("x3") = args.d;
  register long x4 __asm__("x4") = args.e;
  register long x5 __asm__("x5") = args.f;
  __asm__ volatile("svc 0"
                   : "+r"(x0)
                   : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                   : "memory");
  return x0;
#else
#error "system calls are not known for this architecture"
#endif
}

// As syscall() returns it.
long Returned(long result) {
  if (result < 0 && result > -4096) {
    errno = int(-result);
    return -1;
  }
  return result;
}

//===-- Futexes -----------------------------------------------------------===//

// A call, with the words of futex(2).
struct Futex {
  explicit Futex(const Arguments &args)
      : word(reinterpret_cast<u32 *>(args.a)), command(int(args.b) & FUTEX_CMD_MASK),
        flags(int(args.b) & ~FUTEX_CMD_MASK), value(u32(args.c)),
        timeout(reinterpret_cast<const timespec *>(args.d)), value2(u32(args.d)),
        word2(reinterpret_cast<u32 *>(args.e)), value3(u32(args.f)) {}

  u32 *word;
  int command, flags;
  u32 value;
  const timespec *timeout;
  u32 value2; // where there is no timeout
  u32 *word2;
  u32 value3;
};

// What is wrong with the address, or that it does not hold the value: the error of
// the kernel, which is asked to requeue nobody under that condition.
long Compare(ThreadState *thr, uptr pc, const Futex &futex, u32 value) {
  const long error =
      Kernel(SYS_futex, {long(futex.word), FUTEX_CMP_REQUEUE | (futex.flags & FUTEX_PRIVATE_FLAG),
                         0, 0, long(futex.word), long(value)});
  if (error == 0 || error == -EAGAIN)
    WeakReadByKernel(thr, pc, futex.word);
  return error;
}

// Wakes controlled threads, and if they are too few, others.
long Wake(ThreadState *thr, VisibleOperation &visible, const Futex &futex, u32 *word, u32 most,
          u32 bits) {
  long woken = 0, others = 0;
  while (u32(woken) < most && visible.WakeOne(WaitKind::kFutex, word, bits))
    woken++;
  if (u32(woken) < most)
    others = Kernel(SYS_futex, {long(word), FUTEX_WAKE_BITSET | (futex.flags & FUTEX_PRIVATE_FLAG),
                                long(most - u32(woken)), 0, 0, long(bits)});
  if (woken || others > 0)
    WeakThreadWakes(thr);
  return others < 0 ? others : woken + others;
}

// A futex of several processes must be waited for in the kernel. One that is not
// marked as private need not be such: people forget.
bool OthersMayWake(const Futex &futex) {
  return SaysShared(futex.word, !(futex.flags & FUTEX_PRIVATE_FLAG)) && IsAway(futex.word);
}

bool IsTime(const timespec &time) {
  return time.tv_sec >= 0 && time.tv_nsec >= 0 && time.tv_nsec < 1000000000;
}

// Within an operation.
u64 Deadline(const Futex &futex) {
  if (!futex.timeout)
    return WaitFor::kNoDeadline;
  if (futex.command == FUTEX_WAIT)
    return DeadlineAfter(u64(futex.timeout->tv_sec) * 1000000000 + u64(futex.timeout->tv_nsec));
  return DeadlineOf(futex.flags & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC,
                    futex.timeout);
}

long FutexWait(ThreadState *thr, uptr pc, const Futex &futex, u32 bits) {
  if (!bits || (futex.timeout && !IsTime(*futex.timeout)))
    return -EINVAL;
  Outcome outcome;
  {
    VisibleOperation visible(thr, pc, OperationKind::kFutexWait, futex.word);
    visible.Unproductive();
    if (long error = Compare(thr, pc, futex, futex.value))
      return error;
    WaitFor wait;
    wait.kind = WaitKind::kFutex;
    wait.object = reinterpret_cast<uptr>(futex.word);
    wait.deadline = Deadline(futex);
    wait.bits = bits;
    outcome = visible.Block(wait);
    if (outcome == Outcome::kWoken)
      WeakThreadIsWoken(thr);
  }
  switch (outcome) {
  case Outcome::kTimedOut:
    return -ETIMEDOUT;
  case Outcome::kInterrupted:
    return HandleSignals(thr) ? -EINTR : 0; // 0: one that is restarted may have missed a wake-up
  case Outcome::kWoken:
  case Outcome::kSpurious:
    break;
  }
  return 0;
}

long FutexWake(ThreadState *thr, uptr pc, const Futex &futex, u32 bits) {
  if (!bits)
    return -EINVAL;
  VisibleOperation visible(thr, pc, OperationKind::kFutexWake, futex.word);
  // 0 wakes one, as in the kernel.
  long woken = Wake(thr, visible, futex, futex.word, futex.value ? futex.value : 1, bits);
  if (woken <= 0)
    visible.Unproductive();
  return woken;
}

long FutexRequeue(ThreadState *thr, uptr pc, const Futex &futex) {
  if (int(futex.value) < 0 || int(futex.value2) < 0)
    return -EINVAL;
  const bool compare = futex.command == FUTEX_CMP_REQUEUE;
  VisibleOperation visible(thr, pc, OperationKind::kFutexWake, futex.word);
  if (compare) {
    if (long error = Compare(thr, pc, futex, futex.value3))
      return error;
  }
  long woken = futex.value ? Wake(thr, visible, futex, futex.word, futex.value, ~0u) : 0;
  if (woken < 0)
    return woken;
  u32 moved = visible.Requeue(WaitKind::kFutex, futex.word, futex.word2, futex.value2);
  return compare ? woken + moved : woken;
}

// Changes a second word, and wakes its waiters too if it held a certain value.
long FutexWakeOperation(ThreadState *thr, uptr pc, const Futex &futex) {
  const u32 encoded = futex.value3;
  const int compared = int(encoded << 20) >> 20;
  u32 operand = u32(int(encoded << 8) >> 20);
  if (encoded >> 28 & FUTEX_OP_OPARG_SHIFT)
    operand = 1u << (operand & 31);
  VisibleOperation visible(thr, pc, OperationKind::kFutexWake, futex.word);
  auto *word2 = reinterpret_cast<atomic_uint32_t *>(futex.word2);
  u32 old = atomic_load(word2, memory_order_seq_cst), wanted;
  do {
    switch (encoded >> 28 & 7) {
    case FUTEX_OP_SET:
      wanted = operand;
      break;
    case FUTEX_OP_ADD:
      wanted = old + operand;
      break;
    case FUTEX_OP_OR:
      wanted = old | operand;
      break;
    case FUTEX_OP_ANDN:
      wanted = old & ~operand;
      break;
    case FUTEX_OP_XOR:
      wanted = old ^ operand;
      break;
    default:
      return -ENOSYS;
    }
  } while (!atomic_compare_exchange_strong(word2, &old, wanted, memory_order_seq_cst));
  long woken = Wake(thr, visible, futex, futex.word, futex.value, ~0u);
  if (woken < 0)
    return woken;
  const int was = int(old);
  bool holds;
  switch (encoded >> 24 & 15) {
  case FUTEX_OP_CMP_EQ:
    holds = was == compared;
    break;
  case FUTEX_OP_CMP_NE:
    holds = was != compared;
    break;
  case FUTEX_OP_CMP_LT:
    holds = was < compared;
    break;
  case FUTEX_OP_CMP_LE:
    holds = was <= compared;
    break;
  case FUTEX_OP_CMP_GT:
    holds = was > compared;
    break;
  case FUTEX_OP_CMP_GE:
    holds = was >= compared;
    break;
  default:
    return -ENOSYS;
  }
  if (!holds)
    return woken;
  long second = Wake(thr, visible, futex, futex.word2, futex.value2, ~0u);
  return second < 0 ? second : woken + second;
}

long Away(ThreadState *thr, long number, const Arguments &args) {
  AwayFromSchedule away(thr);
  return Kernel(number, args);
}

// Calls read(word) for each word that the call has the kernel compare.
template <class Read> void ForEachCompared(long number, const Arguments &args, Read read) {
#ifdef SYS_futex_waitv
  if (number == SYS_futex_waitv) {
    const auto *waits = reinterpret_cast<const futex_waitv *>(args.a);
    for (long i = 0; i < args.b; i++)
      if ((waits[i].flags & kSizeOfFutex) == FUTEX_32)
        read(reinterpret_cast<const u32 *>(waits[i].uaddr));
    return;
  }
#endif
  const Futex futex(args);
  switch (futex.command) {
  case FUTEX_WAIT:
  case FUTEX_WAIT_BITSET:
  case FUTEX_WAIT_REQUEUE_PI:
  case FUTEX_CMP_REQUEUE:
  case FUTEX_CMP_REQUEUE_PI:
    read(futex.word);
  }
}

// A futex that is left to the kernel. What it has compared is read when it returns: no older
// store than it saw.
long KernelFutex(ThreadState *thr, uptr pc, long number, const Arguments &args) {
  {
    VisibleOperation visible(thr, pc, OperationKind::kFutexWait, nullptr);
    if (visible.controlled())
      WeakThreadWaits(thr);
  }
  const long result = Away(thr, number, args);
  if (result < 0 && result != -EAGAIN)
    return result;
  VisibleOperation visible(thr, pc, OperationKind::kFutexWait, nullptr);
  ForEachCompared(number, args, [&](const u32 *word) { WeakReadByKernel(thr, pc, word); });
  if (visible.controlled() && result >= 0)
    WeakThreadIsWoken(thr);
  return result;
}

bool IsFutex(long number) {
#ifdef SYS_futex_waitv
  if (number == SYS_futex_waitv)
    return true;
#endif
  return number == SYS_futex;
}

long ControlledFutex(ThreadState *thr, uptr pc, const Arguments &args) {
  const Futex futex(args);
  switch (futex.command) {
  case FUTEX_WAIT:
  case FUTEX_WAIT_BITSET:
    if (OthersMayWake(futex))
      return KernelFutex(thr, pc, SYS_futex, args);
    return FutexWait(thr, pc, futex, futex.command == FUTEX_WAIT ? ~0u : futex.value3);
  case FUTEX_WAKE:
    return FutexWake(thr, pc, futex, ~0u);
  case FUTEX_WAKE_BITSET:
    return FutexWake(thr, pc, futex, futex.value3);
  case FUTEX_REQUEUE:
  case FUTEX_CMP_REQUEUE:
    return FutexRequeue(thr, pc, futex);
  case FUTEX_WAKE_OP:
    return FutexWakeOperation(thr, pc, futex);
  default:
    return KernelFutex(thr, pc, SYS_futex, args);
  }
}

//===-- Barriers ----------------------------------------------------------===//

// Whether others have to see it is the kernel's to say: the process may not be registered. It
// takes the kernel microseconds, and MEMBARRIER_CMD_GLOBAL milliseconds, but waits for nobody.
NOINLINE long Membarrier(uptr caller_pc, uptr pc, const Arguments &args) {
  ThreadState *thr = cur_thread_init();
  if (!thr->is_inited || thr->ignore_sync || thr->ignore_interceptors)
    return Kernel(SYS_membarrier, args);
  ScopedInterceptor si(thr, "syscall", caller_pc);
  VisibleOperation visible(thr, pc, OperationKind::kFence, nullptr);
  TakeMembarriers(thr);
  const long result = Kernel(SYS_membarrier, args);
  if (result == 0 && IsMembarrier(args.a)) {
    FenceAllThreads(thr);
    if (visible.controlled())
      visible.Accessed({0, u32(__ATOMIC_SEQ_CST), false, false, 0, 0});
  }
  return result;
}

//===-- Other system calls ------------------------------------------------===//

// Those with an interceptor of their own that may block, when called directly.
bool MayBlock(long number) {
  switch (number) {
  case SYS_read:
  case SYS_write:
  case SYS_readv:
  case SYS_writev:
  case SYS_recvfrom:
  case SYS_recvmsg:
  case SYS_recvmmsg:
  case SYS_sendto:
  case SYS_sendmsg:
  case SYS_sendmmsg:
  case SYS_accept:
  case SYS_accept4:
  case SYS_connect:
  case SYS_ppoll:
  case SYS_pselect6:
  case SYS_epoll_pwait:
  case SYS_nanosleep:
  case SYS_clock_nanosleep:
  case SYS_wait4:
  case SYS_waitid:
  case SYS_rt_sigsuspend:
  case SYS_rt_sigtimedwait:
  case SYS_flock:
  case SYS_semop:
  case SYS_semtimedop:
  case SYS_msgsnd:
  case SYS_msgrcv:
  case SYS_mq_timedsend:
  case SYS_mq_timedreceive:
  case SYS_splice:
  case SYS_sendfile:
#ifdef SYS_poll
  case SYS_poll:
  case SYS_select:
  case SYS_epoll_wait:
  case SYS_pause:
#endif
#ifdef SYS_epoll_pwait2
  case SYS_epoll_pwait2:
#endif
    return true;
  default:
    return IsFutex(number);
  }
}

bool IsFork(long number, const Arguments &args) {
  switch (number) {
#ifdef SYS_fork
  case SYS_fork:
#endif
  case SYS_clone:
    return true;
  default:
    return false;
  }
}

bool SharesMemory(long number, const Arguments &args) {
  constexpr long kCloneVm = 0x100;
  return number == SYS_clone && (args.a & kCloneVm);
}

int Yield(ThreadState *thr, uptr pc) {
  VisibleOperation visible(thr, pc, OperationKind::kYield, nullptr);
  return 0;
}

// In a frame of its own, so that other calls pay nothing for it.
NOINLINE long ControlledSystemCall(uptr caller_pc, uptr pc, long number, const Arguments &args) {
  ThreadState *thr = cur_thread_init();
  if (!IsControlled(thr))
    return IsFutex(number) ? KernelFutex(thr, pc, number, args) : Kernel(number, args);
  AsyncCancelPoint cancel_point(thr);
  ScopedInterceptor si(thr, "syscall", caller_pc);
  switch (number) {
  case SYS_futex:
    return ControlledFutex(thr, pc, args);
  case SYS_sched_yield:
    return Yield(thr, pc);
  default:
    return IsFutex(number) ? KernelFutex(thr, pc, number, args) : Away(thr, number, args);
  }
}

} // namespace

// Upstream does not intercept it.
extern "C" SANITIZER_INTERFACE_ATTRIBUTE SANITIZER_WEAK_ATTRIBUTE long
heddle_syscall(long number, ...) __asm__("syscall");
HEDDLE_WEAK_FUNCTION(long, syscall, (long number, ...)) {
  va_list list;
  va_start(list, number);
  Arguments args;
  args.a = va_arg(list, long);
  args.b = va_arg(list, long);
  args.c = va_arg(list, long);
  args.d = va_arg(list, long);
  args.e = va_arg(list, long);
  args.f = va_arg(list, long);
  va_end(list);
  if (UNLIKELY(schedule_controlled) && IsControlled(cur_thread_init())) {
    long result;
    if (CallLikeLibc(number, {args.a, args.b, args.c, args.d, args.e, args.f}, &result))
      return result;
  }
  if (UNLIKELY(Recording()))
    DirectCallNotRecorded(number, int(args.a));
  if (UNLIKELY(ids_differ))
    ToKernel(number, args.a, args.b);
  if (UNLIKELY(schedule_controlled) && IsFork(number, args)) {
    // The child has one thread, and no schedule: its memory may be its parent's.
    long result = Kernel(number, args);
    if (result == 0 && !SharesMemory(number, args))
      ForkedByCall(cur_thread_init());
    if (UNLIKELY(processes_together) && result > 0)
      StartsOther();
    return Returned(result);
  }
  if (UNLIKELY(IsAsyncIo(number)))
    return AsyncIo(GET_CALLER_PC(), GET_CURRENT_PC(), number,
                   {args.a, args.b, args.c, args.d, args.e, args.f});
  if ((UNLIKELY(schedule_controlled) && (number == SYS_sched_yield || MayBlock(number))) ||
      (UNLIKELY(weak_memory) && IsFutex(number)))
    return Returned(ControlledSystemCall(GET_CALLER_PC(), GET_CURRENT_PC(), number, args));
  if (UNLIKELY(number == SYS_membarrier))
    return Returned(Membarrier(GET_CALLER_PC(), GET_CURRENT_PC(), args));
  const long result = Returned(Kernel(number, args));
  return UNLIKELY(ids_differ) ? ToProgram(number, result) : result;
}

HEDDLE_NEW_INTERCEPTOR(int, sched_yield, (), ()) {
  HEDDLE_CONTROLLED(sched_yield);
  return Yield(thr, pc);
}

// What is left of it in glibc is the same function.
HEDDLE_NEW_INTERCEPTOR(int, pthread_yield, (), ()) {
  HEDDLE_CONTROLLED(pthread_yield);
  return Yield(thr, pc);
}
