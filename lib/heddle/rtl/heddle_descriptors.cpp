//===-- heddle_descriptors.cpp - Descriptors of the runtime's own ---------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_descriptors.h"

#include "heddle/rtl/heddle_control.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_file.h"
#include "sanitizer_common/sanitizer_mutex.h"
#include "sanitizer_common/sanitizer_posix.h"
#include "tsan_flags.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

using namespace __sanitizer;
using namespace __tsan;

// Who has it may open files.
static StaticSpinMutex descriptors;
static atomic_uint32_t descriptors_owner;

//===-- Which are our own -------------------------------------------------===//

// A bit each. Of more files than that, the program may close ours.
constexpr u32 kMostDescriptors = 1 << 16, kBits = 64;
static atomic_uint64_t own_descriptors[kMostDescriptors / kBits];

static void Mark(int file, bool own) {
  if (u32(file) >= kMostDescriptors)
    return;
  atomic_uint64_t &word = own_descriptors[file / kBits];
  const u64 bit = 1ull << (file % kBits);
  u64 before = atomic_load_relaxed(&word);
  while (!atomic_compare_exchange_weak(&word, &before, own ? before | bit : before & ~bit,
                                       memory_order_relaxed)) {
  }
}

u32 __heddle::NextOwnDescriptor(u32 from) {
  for (u32 file = from; file < kMostDescriptors; file = (file / kBits + 1) * kBits) {
    const u64 word = atomic_load_relaxed(&own_descriptors[file / kBits]) >> (file % kBits);
    if (word)
      return file + u32(LeastSignificantSetBitIndex(word));
  }
  return ~0u;
}

bool __heddle::IsOwnDescriptor(int file) {
  return file >= 0 && NextOwnDescriptor(file) == u32(file);
}

// First the mark: the program may get the number at once.
void __heddle::CloseOwnDescriptor(int file) {
  Mark(file, /*own=*/false);
  internal_close(file);
}

//===-- Opening -----------------------------------------------------------===//

// Its thread may be in a system call itself, or whoever has the lock may be waiting for its
// report to end: then there is nothing to wait for.
int __sanitizer::LockDescriptors() SANITIZER_NO_THREAD_SAFETY_ANALYSIS {
  constexpr u64 kPatience = 100'000'000;
  if (!__heddle::schedule_controlled || atomic_load_relaxed(&descriptors_owner) == u32(GetTid()))
    return 0;
  for (const u64 limit = MonotonicNanoTime() + kPatience; !descriptors.TryLock();) {
    if (MonotonicNanoTime() > limit)
      return 0;
    internal_sched_yield();
  }
  atomic_store_relaxed(&descriptors_owner, u32(GetTid()));
  return 1;
}
void __sanitizer::UnlockDescriptors(int *locked) SANITIZER_NO_THREAD_SAFETY_ANALYSIS {
  if (!*locked)
    return;
  atomic_store_relaxed(&descriptors_owner, 0);
  descriptors.Unlock();
}

__heddle::DescriptorLock::DescriptorLock() SANITIZER_NO_THREAD_SAFETY_ANALYSIS
    : owner_(atomic_load_relaxed(&descriptors_owner) != u32(GetTid())) {
  if (!owner_)
    return;
  descriptors.Lock();
  atomic_store_relaxed(&descriptors_owner, u32(GetTid()));
}
__heddle::DescriptorLock::~DescriptorLock() SANITIZER_NO_THREAD_SAFETY_ANALYSIS {
  if (!owner_)
    return;
  atomic_store_relaxed(&descriptors_owner, 0);
  descriptors.Unlock();
}

// Seam symbolizer-files.
int __sanitizer::MoveOutOfTheWay(int file) {
  const int error = errno; // the program's, if it has just got into a report
  rlimit limit = {};
  getrlimit(RLIMIT_NOFILE, &limit);
  const int high = limit.rlim_cur > 8192 ? 4096 : int(limit.rlim_cur) / 2;
  const int moved = int(__heddle::KernelCall(SYS_fcntl, file, F_DUPFD_CLOEXEC, high));
  if (moved >= 0) {
    Mark(moved, /*own=*/true);
    internal_close(file);
  }
  errno = error;
  return moved >= 0 ? moved : file;
}

// There is no schedule before the kernel can be called.
int __sanitizer::MoveOwnFile(int file) {
  return __heddle::KernelCall && flags()->schedule != __heddle::Schedule::kNone
             ? MoveOutOfTheWay(file)
             : file;
}

void __heddle::MoveReportFile() {
  SpinMutexLock lock(report_file.mu);
  if (report_file.fd > 2)
    report_file.fd = MoveOwnFile(report_file.fd);
}
