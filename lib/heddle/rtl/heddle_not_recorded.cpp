//===-- heddle_not_recorded.cpp - What a demo does not have ---------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_not_recorded.h"

#include "heddle/rtl/heddle_input.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_hash.h"
#include "sanitizer_common/sanitizer_mutex.h"
#include "sanitizer_common/sanitizer_posix.h"

#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

using namespace __sanitizer;

namespace __heddle {
namespace {

struct Missed {
  const char *name;
  u32 calls;
};
StaticSpinMutex missed_mutex;
Missed missed[128]; // more than there are names
atomic_uint32_t loops;

// Hashes of names, in memory that a recorded process shares with its children.
constexpr uptr kMostPrograms = 64;
atomic_uint64_t *programs;

// What brings input if it is called by its number. Of those with a file it depends on that.
struct DirectCall {
  long number;
  const char *name;
  bool of_file;
};
#define CALL(name) {SYS_##name, "syscall(SYS_" #name ")", false},
#define CALL_OF_FILE(name) {SYS_##name, "syscall(SYS_" #name ")", true},
constexpr DirectCall kDirectCalls[] = {
    // clang-format off
    CALL_OF_FILE(read) CALL_OF_FILE(readv) CALL_OF_FILE(pread64) CALL_OF_FILE(preadv)
    CALL_OF_FILE(preadv2) CALL_OF_FILE(write) CALL_OF_FILE(writev) CALL_OF_FILE(pwrite64)
    CALL_OF_FILE(pwritev) CALL_OF_FILE(pwritev2) CALL_OF_FILE(recvfrom) CALL_OF_FILE(recvmsg)
    CALL_OF_FILE(recvmmsg) CALL_OF_FILE(sendto) CALL_OF_FILE(sendmsg) CALL_OF_FILE(sendmmsg)
    CALL_OF_FILE(connect) CALL_OF_FILE(accept) CALL_OF_FILE(accept4) CALL_OF_FILE(getsockname)
    CALL_OF_FILE(getpeername) CALL_OF_FILE(getsockopt) CALL_OF_FILE(ioctl) CALL_OF_FILE(fstat)
    CALL_OF_FILE(splice) CALL_OF_FILE(tee)
    CALL(ppoll) CALL(pselect6) CALL(epoll_pwait) CALL(socket) CALL(socketpair) CALL(pipe2)
    CALL(eventfd2) CALL(signalfd4) CALL(timerfd_create) CALL(epoll_create1)
    CALL(rt_sigtimedwait) CALL(wait4) CALL(waitid) CALL(msgrcv) CALL(semop) CALL(semtimedop)
    CALL(mq_timedreceive) CALL(clock_gettime) CALL(gettimeofday) CALL(times) CALL(getrusage)
    CALL(getpid) CALL(getppid) CALL(gettid) CALL(getuid) CALL(geteuid) CALL(getgid) CALL(getegid)
    CALL(getpgid) CALL(getsid) CALL(uname) CALL(sysinfo) CALL(sched_getaffinity) CALL(getcpu)
    CALL(getrandom)
    CALL(process_vm_readv) CALL(perf_event_open) CALL(userfaultfd) CALL(inotify_init1)
    CALL(fanotify_init) CALL(pidfd_open) CALL(timer_create)
#ifdef SYS_poll // not on newer architectures
    CALL(poll) CALL(select) CALL(epoll_wait) CALL(epoll_create) CALL(pipe) CALL(eventfd)
    CALL(signalfd) CALL(time) CALL(getpgrp)
#endif
    // clang-format on
};
#undef CALL
#undef CALL_OF_FILE

} // namespace

void NotRecorded(const char *name) {
  if (!Recording() || !ThreadWithInput())
    return;
  SpinMutexLock lock(&missed_mutex);
  for (Missed &each : missed) {
    if (each.name && internal_strcmp(each.name, name))
      continue;
    each.name = name;
    each.calls++;
    return;
  }
}

void BeginNotRecorded() {
  const uptr memory = internal_mmap(nullptr, kMostPrograms * sizeof(*programs),
                                    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (!internal_iserror(memory))
    programs = reinterpret_cast<atomic_uint64_t *>(memory);
}

void ProgramNotRecorded(const char *program) {
  MurMur2Hash64Builder builder;
  for (const char *each = program; *each; each++)
    builder.add(u32(*each));
  const u64 hash = builder.get() | 1;
  for (uptr i = 0; programs && i < kMostPrograms; i++) {
    u64 said = 0;
    if (atomic_compare_exchange_strong(&programs[i], &said, hash, memory_order_relaxed)) {
      Printf("note: %s has not been built with this runtime, and is not recorded: a replay runs it "
             "again\n",
             program);
      return;
    }
    if (said == hash)
      return;
  }
}

void LoopNotRecordedIf(bool is_so) {
  if (UNLIKELY(is_so) && Recording())
    atomic_fetch_add(&loops, 1, memory_order_relaxed);
}

void PrintNotRecorded() {
  if (const u32 times = atomic_exchange(&loops, 0, memory_order_relaxed))
    Printf(
        "note: %u time%s a thread ran for a time slice in a library that is not instrumented, and "
        "others went on: a replay may end with exit code 67\n",
        times, times == 1 ? "" : "s");
  SpinMutexLock lock(&missed_mutex);
  for (Missed &each : missed) {
    if (each.calls)
      Printf("note: %u %s call%s not recorded\n", each.calls, each.name,
             each.calls == 1 ? " was" : "s were");
    each.calls = 0;
  }
}

// A thread that the child has not may have had the lock.
void ForgetNotRecorded() {
  missed_mutex.Init();
  atomic_store_relaxed(&loops, 0);
  for (Missed &each : missed)
    each.calls = 0;
}

void DirectCallNotRecorded(long number, int first) {
  for (const DirectCall &each : kDirectCalls)
    if (each.number == number && (!each.of_file || IsInput(first)))
      NotRecorded(each.name);
}

bool OthersWriteTo(int fd) {
  struct stat status;
  if (KernelCall(SYS_fstat, fd, &status))
    return false;
  constexpr u32 kMemory = 1, kZero = 5; // the number of /dev/zero
  if (S_ISCHR(status.st_mode))
    return major(status.st_rdev) != kMemory || minor(status.st_rdev) != kZero;
  // What shm_open gives: a file in memory that has a name.
  struct statfs system;
  return S_ISREG(status.st_mode) && status.st_nlink > 0 && !KernelCall(SYS_fstatfs, fd, &system) &&
         system.f_type == TMPFS_MAGIC;
}

bool OthersWriteToSegment(int segment) {
  shmid_ds status;
  return !KernelCall(SYS_shmctl, segment, IPC_STAT, &status) &&
         status.shm_perm.__key != IPC_PRIVATE;
}

} // namespace __heddle
