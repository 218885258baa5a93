//===-- heddle_async_io.cpp - Work that the kernel does meanwhile ---------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program hands requests to the kernel (io_submit, io_uring_enter), goes on, and asks later what
// has become of them.
//
// What it orders. A thread that is told of a request that is done comes after its submission. A
// context has one clock, which io_submit releases and io_getevents acquires: a request itself may
// be gone as soon as it has been submitted, and its memory may be another object by then. A ring
// has one, too, that of its descriptor: io_uring_enter releases it when it submits, and acquires it
// when it waits.
//
// What it accesses. From the submission until somebody is told of the end the kernel may read what
// is written to a file, and write to where a file is read into: these count as accesses of the
// thread that submits. The requests of io_uring are in memory that we do not know, so that there is
// nothing to count.
//
// Under a schedule a thread is away while it waits for results. Which are there is up to the
// kernel, so a seed does not decide it.
//
// In a demo it would have to be: when the kernel writes to a ring, or to a buffer that was
// submitted, is seen by no call. So a recording, its replays, and the executions of a hunt, which
// must be as their recordings, have neither: io_setup and io_uring_setup fail with ENOSYS, as on a
// kernel without them, and a note says so. Programs do without then, or have a switch for it.
// liburing calls the kernel past libc. If it is loaded at the start, the kernel itself is told to
// refuse io_uring_setup (seccomp).
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_async_io.h"

#include "heddle/rtl/heddle_input.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_system_calls.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "tsan_fd.h"
#include "tsan_flags.h"

#include <errno.h>
#include <link.h>
#include <linux/aio_abi.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/uio.h>

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {
namespace {

// Not <linux/io_uring.h>, which not every system has.
constexpr long kEnterGetEvents = 1, kEnterExtendedArgument = 8;
struct ExtendedArgument {
  u64 signals;
  u32 signals_size, unused;
  u64 limit; // a timespec
};

long Kernel(long number, const AsyncIoArguments &args) {
  return KernelCall(number, args.a, args.b, args.c, args.d, args.e, args.f);
}

//===-- Refused -----------------------------------------------------------===//

long NoSuchCall() {
  errno = ENOSYS;
  return -1;
}

bool IsRefused() { return demo_mode != DemoMode::kOff || flags()->statistics_file >= 0; }

void SayRefused(const char *what) {
  static atomic_uint8_t said;
  if (!Recording() || atomic_exchange(&said, 1, memory_order_relaxed))
    return;
  Printf("note: %s is refused in a recording (ENOSYS): what the kernel does meanwhile cannot be "
         "recorded. A program that does not go on without it may have a switch for that, such as "
         "UV_USE_IO_URING=0 of libuv.\n",
         what);
}

int IsUring(dl_phdr_info *library, size_t, void *) {
  return library->dlpi_name && internal_strstr(library->dlpi_name, "/liburing.so");
}

#if defined(__x86_64__)
constexpr u32 kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr u32 kArchitecture = AUDIT_ARCH_AARCH64;
#endif

bool RefuseInKernel() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_fprog filter = {sizeof(program) / sizeof(program[0]), program};
  return !KernelCall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
         !KernelCall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
}

//===-- io_submit ---------------------------------------------------------===//

// What the kernel reads of a request, and may write from now on.
void Submitted(ThreadState *thr, uptr pc, const iocb *request) {
  MemoryAccessRange(thr, pc, uptr(request), sizeof(*request), /*is_write=*/false);
  const u32 call = request->aio_lio_opcode;
  const bool reads_file = call == IOCB_CMD_PREAD || call == IOCB_CMD_PREADV;
  if (call == IOCB_CMD_PREAD || call == IOCB_CMD_PWRITE)
    MemoryAccessRange(thr, pc, request->aio_buf, request->aio_nbytes, reads_file);
  if (call != IOCB_CMD_PREADV && call != IOCB_CMD_PWRITEV)
    return;
  const auto *parts = reinterpret_cast<const iovec *>(request->aio_buf);
  for (uptr i = 0; i < request->aio_nbytes; i++)
    MemoryAccessRange(thr, pc, uptr(parts[i].iov_base), parts[i].iov_len, reads_file);
}

long Submit(ThreadState *thr, uptr pc, const AsyncIoArguments &args) {
  auto **requests = reinterpret_cast<iocb **>(args.c);
  bool may_wait = false;
  for (long i = 0; i < args.b && schedule_controlled; i++)
    may_wait |= FileMayWait(int(requests[i]->aio_fildes));
  {
    VisibleOperation visible(thr, pc, OperationKind::kSystemCall, nullptr);
    for (long i = 0; i < args.b; i++)
      Submitted(thr, pc, requests[i]);
    Release(thr, pc, uptr(args.a));
    if (!may_wait)
      return Kernel(SYS_io_submit, args);
  }
  AwayFromSchedule away(thr);
  return Kernel(SYS_io_submit, args);
}

long GetEvents(ThreadState *thr, uptr pc, long number, const AsyncIoArguments &args) {
  const u64 limit = LimitOf(reinterpret_cast<const timespec *>(args.e));
  long result;
  if (args.b > 0 && limit) {
    AwayFromSchedule away(thr, AwayFromSchedule::kAtOnce, limit);
    result = Kernel(number, args);
    if (result >= 0 && result < args.b)
      away.GaveUp();
  } else {
    VisibleOperation visible(thr, pc, OperationKind::kSystemCall, nullptr);
    result = Kernel(number, args);
    if (result <= 0)
      visible.Unproductive();
  }
  if (result <= 0)
    return result;
  VisibleOperation visible(thr, pc, OperationKind::kSystemCall, nullptr);
  MemoryAccessRange(thr, pc, uptr(args.d), uptr(result) * sizeof(io_event), /*is_write=*/true);
  Acquire(thr, pc, uptr(args.a));
  return result;
}

//===-- io_uring ----------------------------------------------------------===//

u64 EnterLimit(const AsyncIoArguments &args) {
  if (!(args.d & kEnterExtendedArgument) || !args.e)
    return AwayFromSchedule::kNoLimit;
  return LimitOf(reinterpret_cast<const timespec *>(
      reinterpret_cast<const ExtendedArgument *>(args.e)->limit));
}

long Enter(ThreadState *thr, uptr pc, const AsyncIoArguments &args) {
  const int ring = int(args.a);
  const bool waits = args.d & kEnterGetEvents && args.c;
  {
    VisibleOperation visible(thr, pc, OperationKind::kSystemCall, ObjectOf(ring));
    if (args.b)
      FdRelease(thr, pc, ring);
    if (!waits)
      return Kernel(SYS_io_uring_enter, args);
  }
  long result;
  int error;
  {
    AwayFromSchedule away(thr, AwayFromSchedule::kAtOnce, EnterLimit(args));
    result = Kernel(SYS_io_uring_enter, args);
    if (result < 0 && errno == ETIME)
      away.GaveUp();
    error = errno;
  }
  {
    VisibleOperation visible(thr, pc, OperationKind::kSystemCall, ObjectOf(ring));
    FdAcquire(thr, pc, ring);
  }
  errno = error;
  return result;
}

long Setup(ThreadState *thr, uptr pc, long number, const AsyncIoArguments &args) {
  if (IsRefused()) {
    SayRefused(number == SYS_io_setup ? "io_setup" : "io_uring");
    return NoSuchCall();
  }
  // It takes room, and a descriptor.
  VisibleOperation visible(thr, pc, OperationKind::kSystemCall, nullptr);
  DescriptorLock lock;
  const long result = Kernel(number, args);
  if (number == SYS_io_uring_setup && result >= 0)
    FdEventCreate(thr, pc, int(result)); // a descriptor with a clock
  if (number == SYS_io_setup && result == 0)
    MemoryAccessRange(thr, pc, uptr(args.b), sizeof(aio_context_t), /*is_write=*/true);
  return result;
}

} // namespace

long AsyncIo(uptr caller_pc, uptr pc, long number, const AsyncIoArguments &args) {
  ThreadState *thr = cur_thread_init();
  ScopedInterceptor si(thr, "syscall", caller_pc);
  if (MustIgnoreInterceptor(thr))
    return IsRefused() && (number == SYS_io_setup || number == SYS_io_uring_setup)
               ? NoSuchCall()
               : Kernel(number, args);
  switch (number) {
  case SYS_io_submit:
    return Submit(thr, pc, args);
  case SYS_io_setup:
  case SYS_io_uring_setup:
    return Setup(thr, pc, number, args);
  case SYS_io_uring_enter:
    return Enter(thr, pc, args);
  default:
    return GetEvents(thr, pc, number, args);
  }
}

void StartAsyncIo() {
  if (LIKELY(!IsRefused()) || !dl_iterate_phdr(IsUring, nullptr))
    return;
  SayRefused("io_uring");
  if (!RefuseInKernel())
    Printf("WARNING: ThreadSanitizer: liburing is loaded, and the system does not let io_uring be "
           "refused: a replay may go another way.\n");
}

} // namespace __heddle
