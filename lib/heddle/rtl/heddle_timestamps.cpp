//===-- heddle_timestamps.cpp - rdtsc as input ----------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_timestamps.h"

#include "heddle/rtl/heddle_inputs.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_sync.h"
#include "heddle/rtl/heddle_timestamp_scan.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_linux.h"
#include "tsan_flags.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>

using namespace __sanitizer;
using namespace __tsan;

DECLARE_REAL(void *, dlopen, const char *name, int flags)

namespace __heddle {

bool timestamps_are_logical;

#if defined(__x86_64__)

namespace {

bool trapped;

void SetTrap(bool on) {
  const int error = errno;
  KernelCall(SYS_prctl, PR_SET_TSC, on ? PR_TSC_SIGSEGV : PR_TSC_ENABLE);
  errno = error;
}

struct Timestamp {
  u64 counter;
  u32 processor; // what rdtscp says besides
};

extern "C" const char heddle_own_timestamp[] __attribute__((visibility("hidden")));

NOINLINE Timestamp ReadTimestamp() {
  TimestampsForOthers as_others_do;
  u32 low, high, processor;
  __asm__ volatile("heddle_own_timestamp: rdtscp" : "=a"(low), "=d"(high), "=c"(processor));
  return {u64(high) << 32 | low, processor};
}

// The logical time that the thread's counter shows, which goes on by that.
u64 NextTimestamp(ControlledThread *thread) {
  constexpr u32 kSameStep = 64, kMostDoublings = 16;
  constexpr u64 kStep = 16; // nanoseconds
  const u32 doublings = thread->timestamps++ / kSameStep;
  thread->time += kStep << (doublings < kMostDoublings ? doublings : kMostDoublings);
  return thread->time;
}

Timestamp LogicalTimestamp() {
  constexpr u64 kStart = 1ull << 40, kCyclesPerNanosecond = 2;
  ControlledThread *thread = cur_thread_init()->heddle.Controlled();
  if (!thread)
    return ReadTimestamp();
  return {kStart + NextTimestamp(thread) * kCyclesPerNanosecond, 0};
}

// Not Through: in a signal's handler no other signal is handled.
Timestamp RecordedTimestamp() {
  ControlledThread *thread = ThreadWithInput();
  if (!thread)
    return ReadTimestamp();
  Timestamp stamp = {};
  auto parts = [&](auto &io) {
    io.Value(&stamp.counter);
    io.Value(&stamp.processor);
  };
  if (Recording()) {
    stamp = ReadTimestamp();
    InputRecorder io(thread, kInputTimestamp, 0, 0);
    parts(io);
    return stamp;
  }
  InputPlayer io(thread, kInputTimestamp);
  if (io.Known()) {
    parts(io);
    return stamp;
  }
  io.Missing();
  return ReadTimestamp();
}

// Functions of the kernel become the system calls of the same name. Returns one that does not.
const char *ReplaceKernelFunctions() {
  struct {
    const char *name;
    u32 call;
  } const functions[] = {{"__vdso_clock_gettime", SYS_clock_gettime},
                         {"__vdso_gettimeofday", SYS_gettimeofday},
                         {"__vdso_time", SYS_time}};
  void *library = REAL(dlopen)("linux-vdso.so.1", RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD);
  // By this way memory that is not to be written to, like this, can be written to.
  const long memory = KernelCall(SYS_openat, AT_FDCWD, "/proc/self/mem", O_RDWR | O_CLOEXEC);
  const char *wrong = nullptr;
  for (const auto &each : functions) {
    void *function = library ? dlsym(library, each.name) : nullptr;
    if (!function)
      continue; // then it is a system call already
    const u8 code[] = {0xb8, u8(each.call), u8(each.call >> 8), 0, 0, // mov call, %eax
                       0x0f, 0x05,                                    // syscall
                       0xc3};                                         // ret
    if (KernelCall(SYS_pwrite64, memory, code, sizeof(code), function) != sizeof(code))
      wrong = each.name;
  }
  KernelCall(SYS_close, memory);
  return wrong;
}

// If nobody else handles the signal: what is not ours ends the program, as it would.
void HandleAlone(int signal, void *info, void *context) {
  if (StepOverTimestamp(signal, info, context))
    return;
  __sanitizer_sigaction action = {};
  internal_sigaction(signal, &action, nullptr);
}

void HandleIfNobodyDoes() {
  __sanitizer_sigaction action = {};
  if (internal_sigaction(SIGSEGV, nullptr, &action) ||
      action.handler != reinterpret_cast<__sanitizer_sighandler_ptr>(SIG_DFL))
    return;
  action.sigaction = reinterpret_cast<decltype(action.sigaction)>(HandleAlone);
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  internal_sigaction(SIGSEGV, &action, nullptr);
}

} // namespace

void StartTimestamps() {
  const bool recorded = flags()->record_rdtsc && demo_mode != DemoMode::kOff;
  if (!recorded) {
    if (!TimeIsLogical() || flags()->rdtsc == Rdtsc::kProcessor ||
        (flags()->rdtsc == Rdtsc::kAuto && !ProgramReadsTimestamps(heddle_own_timestamp)))
      return;
  }
  if (const char *wrong = ReplaceKernelFunctions()) {
    if (!recorded && flags()->rdtsc == Rdtsc::kAuto)
      return;
    Printf("ERROR: ThreadSanitizer: rdtsc cannot be caught: %s cannot be made a system call (errno "
           "%d). "
           "Run the program with rdtsc=processor and without record_rdtsc=1.\n",
           wrong, errno);
    Die();
  }
  HandleIfNobodyDoes();
  trapped = true;
  timestamps_are_logical = !recorded;
  SetTrap(true);
}

bool TimestampsAreTrapped() { return trapped; }

void EndTimestamps() {
  if (trapped)
    SetTrap(false);
  timestamps_are_logical = false;
}

TimestampsForOthers::TimestampsForOthers() {
  if (trapped)
    SetTrap(false);
}
TimestampsForOthers::~TimestampsForOthers() {
  if (trapped)
    SetTrap(true);
}

void AllowTimestamps() {
  if (LIKELY(!trapped))
    return;
  const int error = errno;
  const u64 signals = 1ull << (SIGSEGV - 1);
  KernelCall(SYS_rt_sigprocmask, SIG_UNBLOCK, &signals, nullptr, sizeof(signals));
  errno = error;
}

bool StepOverTimestamp(int signal, const void *info, void *context) {
  if (LIKELY(!trapped) || signal != SIGSEGV ||
      static_cast<const siginfo_t *>(info)->si_code != SI_KERNEL)
    return false;
  auto &registers = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
  const auto *code = reinterpret_cast<const u8 *>(registers[REG_RIP]);
  if (code[0] != 0x0f)
    return false;
  const bool is_rdtsc = code[1] == 0x31, is_rdtscp = code[1] == 0x01 && code[2] == 0xf9;
  if (!is_rdtsc && !is_rdtscp)
    return false;
  const int error = errno;
  const Timestamp stamp = timestamps_are_logical ? LogicalTimestamp() : RecordedTimestamp();
  errno = error;
  registers[REG_RAX] = u32(stamp.counter);
  registers[REG_RDX] = u32(stamp.counter >> 32);
  if (is_rdtscp)
    registers[REG_RCX] = stamp.processor;
  registers[REG_RIP] += is_rdtsc ? 2 : 3;
  return true;
}

#else

bool TimestampsAreTrapped() { return false; }
void StartTimestamps() {
  if (!flags()->record_rdtsc && flags()->rdtsc != Rdtsc::kLogical)
    return;
  Printf("ERROR: ThreadSanitizer: record_rdtsc=1 and rdtsc=logical are for x86-64 only. Run "
         "without them.\n");
  Die();
}
void EndTimestamps() {}
void AllowTimestamps() {}
TimestampsForOthers::TimestampsForOthers() {}
TimestampsForOthers::~TimestampsForOthers() {}
bool StepOverTimestamp(int, const void *, void *) { return false; }

#endif

} // namespace __heddle

// A thread that blocks SIGSEGV would be killed by the next such instruction.
#define MASK(name)                                                                                 \
  HEDDLE_INTERCEPTOR(int, name, int how, const sigset_t *signals, sigset_t *old) {                 \
    if (LIKELY(!signals || how == SIG_UNBLOCK || !__heddle::TimestampsAreTrapped()))               \
      return __interceptor_##name(how, signals, old);                                              \
    sigset_t others = *signals;                                                                    \
    sigdelset(&others, SIGSEGV);                                                                   \
    return __interceptor_##name(how, &others, old);                                                \
  }
MASK(sigprocmask)
MASK(pthread_sigmask)
