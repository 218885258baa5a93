//===-- heddle_statistics.cpp - What an execution has shown ---------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The figures are counted where they are to be found, in the shared file, so that an
// execution that is killed leaves those it had.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_statistics.h"

#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_own_flags.h"
#include "heddle/server/statistics.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_file.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_posix.h"
#include "tsan_flags.h"
#include "tsan_rtl.h"

#include <sys/mman.h>

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {

bool statistics;

namespace {

SharedStatistics *shared;
ExecutionStatistics *mine;
ThreadId last_thread = kNoThread;
bool last_yielded;

u64 Mix(u64 hash, u64 value) {
  hash = (hash ^ value) * 0x9e37'79b9'7f4a'7c15;
  return hash ^ hash >> 29;
}

// Whether the hash was not there before.
bool Enter(u32 (&map)[SharedStatistics::kMapBits / 32], u64 hash) {
  const u32 bit = u32(hash >> 20) % SharedStatistics::kMapBits;
  u32 &word = map[bit / 32];
  const u32 mask = 1u << bit % 32;
  if (__atomic_load_n(&word, __ATOMIC_RELAXED) & mask)
    return false;
  return !(__atomic_fetch_or(&word, mask, __ATOMIC_RELAXED) & mask);
}

// The same in each process, wherever the program has been loaded.
u64 PlaceOf(uptr pc) { return pc ? pc - reinterpret_cast<uptr>(&StartStatistics) : 0; }

[[noreturn]] void Refuse(const char *what) {
  Printf("ERROR: ThreadSanitizer: statistics_file=%d: %s. heddle hunt makes such a file.\n",
         flags()->statistics_file, what);
  Die();
}

} // namespace

void StartStatistics() {
  const int file = flags()->statistics_file;
  if (file < 0)
    return;
  const uptr size = internal_filesize(file);
  if (internal_iserror(size) || size < sizeof(SharedStatistics))
    Refuse("no file of the size that is needed has this descriptor");
  const uptr memory =
      internal_mmap(nullptr, sizeof(SharedStatistics), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (internal_iserror(memory))
    Refuse("it cannot be mapped");
  shared = reinterpret_cast<SharedStatistics *>(memory);
  if (shared->magic != kStatisticsMagic || shared->version != kStatisticsVersion)
    Refuse("it is of another kind, or of another version of Heddle");
  internal_close(file);
  HideFromOthers("statistics_file=");
  HideFromOthers("statistics_slot=");
  statistics = true;
  AddDieCallback(EndStatistics);
  BeginStatistics();
}

void BeginStatistics() {
  if (!statistics)
    return;
  const u32 slot = u32(flags()->statistics_slot);
  if (slot >= SharedStatistics::kSlots)
    Refuse("statistics_slot is not in it");
  mine = &shared->executions[slot];
  internal_memset(mine, 0, sizeof(*mine));
  mine->threads = 1;
  last_thread = kNoThread;
}

void EndStatistics() {
  if (!statistics || mine->complete)
    return;
  if (schedule_controlled) {
    mine->seed = control->seed();
    mine->threads = control->Threads();
    mine->communications = control->Communications();
  }
  mine->reports = u64(ctx->nreported);
  mine->new_schedule = Enter(shared->schedules, mine->schedule);
  __atomic_store_n(&mine->complete, 1, __ATOMIC_RELEASE);
}

void LeaveStatistics() { statistics = false; }

void CountOperation(ThreadId thread, OperationKind kind) {
  mine->operations++;
  mine->schedule = Mix(mine->schedule, u64(thread) << 8 | u64(kind));
  if (thread != last_thread && last_thread != kNoThread) {
    mine->switches++;
    if (!last_yielded &&
        control->scheduler().StatusOf(last_thread) == __heddle::ThreadStatus::kEnabled)
      mine->preemptions++;
  }
  last_thread = thread;
  last_yielded = kind == OperationKind::kYield || kind == OperationKind::kSleep;
}

void CountLoad(uptr load_pc, uptr store_pc, bool stale) {
  mine->loads++;
  mine->stale_reads += stale;
  if (Enter(shared->reads_from, Mix(Mix(0, PlaceOf(load_pc)), PlaceOf(store_pc))))
    mine->new_reads_from++;
}

} // namespace __heddle
