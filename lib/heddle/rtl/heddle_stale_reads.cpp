//===-- heddle_stale_reads.cpp - Notes about loads of stale stores --------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each thread remembers the last loads that read an older store than the newest. The
// stacks come from the threads' traces when they are asked for, as those of a race
// do, so that remembering costs next to nothing. Where the trace does not reach back
// as far, the line alone is known.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_stale_reads.h"

#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_weak_impl.h"
#include "sanitizer_common/sanitizer_stacktrace.h"
#include "tsan_flags.h"

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {

// Of a thread. Kept until the end of the execution: what a thread has read may be asked for after
// its own end.
struct ReaderNotes {
  static constexpr u32 kReads = 8;

  Tid tid;
  ReaderNotes *next;
  u64 count;
  u64 printed; // as they happened
  StaleRead reads[kReads];
};

namespace {

constexpr u32 kPrinted = 3; // of a thread, in a report

StaticSpinMutex mutex;
ReaderNotes *first;

// The thread registry and the slots are locked.
void PrintStack(Sid sid, Epoch epoch, uptr addr, u32 size, AccessType type,
                uptr pc) SANITIZER_NO_THREAD_SAFETY_ANALYSIS {
  VarSizeStackTrace stack;
  DynamicMutexSet mutexes;
  Tid tid;
  uptr tag;
  auto &slot_mutex = ctx->slots[static_cast<uptr>(sid)].mtx;
  // A race's own report has locked the slot of one of its threads.
  const bool locked = slot_mutex.TryLock();
  const bool found = RestoreStack(EventType::kAccessExt, sid, epoch, addr, size,
                                  type | kAccessAtomic, &tid, &stack, mutexes, &tag);
  if (locked)
    slot_mutex.Unlock();
  if (found && stack.size) {
    stack.ReverseOrder(); // the innermost frame first
    stack.Print();
  } else {
    StackTrace(&pc, 1).Print();
  }
}

class Name {
public:
  explicit Name(Tid tid) {
    if (tid == kInvalidTid)
      internal_snprintf(text_, sizeof(text_), "a thread that is not known");
    else if (tid == kMainTid)
      internal_snprintf(text_, sizeof(text_), "main thread");
    else
      internal_snprintf(text_, sizeof(text_), "thread T%d", tid);
  }
  const char *Text() const { return text_; }

private:
  char text_[32];
};

void Print(const ReaderNotes &thread, const StaleRead &read) {
  const StoredValue &store = read.store;
  Printf("  Stale read of 0x");
  if (store.high_bits)
    Printf("%llx%016llx", store.high_bits, store.bits);
  else
    Printf("%llx", store.bits);
  Printf(" at %p by %s", reinterpret_cast<void *>(read.addr), Name(thread.tid).Text());
  if (schedule_controlled)
    Printf(", tick %llu", read.tick);
  Printf(" (%u newer store%s):\n", read.newer, read.newer == 1 ? "" : "s");
  PrintStack(read.sid, read.epoch, read.addr, read.size, read.access, read.pc);
  if (!store.epoch_bits) {
    Printf("  It is the value that was there before the first atomic store.\n\n");
    return;
  }
  Printf("  Stored by %s", Name(store.tid).Text());
  if (schedule_controlled)
    Printf(", tick %llu", static_cast<unsigned long long>(store.tick));
  Printf(":\n");
  PrintStack(store.sid(), store.epoch(), read.addr, read.size, kAccessWrite, store.pc);
}

void PrintLast(const ReaderNotes &thread) {
  u64 begin = thread.count > kPrinted ? thread.count - kPrinted : 0;
  if (thread.count > kPrinted)
    Printf("  %s read stale stores %llu times; the last %u:\n\n", Name(thread.tid).Text(),
           thread.count, kPrinted);
  for (u64 i = begin; i < thread.count; i++)
    Print(thread, thread.reads[i % ReaderNotes::kReads]);
}

} // namespace

void NoteStaleRead(ThreadState *thr, WeakThread *thread, const StaleRead &read) {
  if (UNLIKELY(!thread->stale_reads)) {
    auto *reads = static_cast<ReaderNotes *>(AllocateRecord(sizeof(ReaderNotes)));
    internal_memset(reads, 0, sizeof(*reads));
    reads->tid = thr->tid;
    SpinMutexLock lock(&mutex);
    reads->next = first;
    first = thread->stale_reads = reads;
  }
  ReaderNotes &reads = *thread->stale_reads;
  reads.reads[reads.count++ % ReaderNotes::kReads] = read;
}

void ForgetStaleReads() {
  if (WeakThread *thread = cur_thread()->heddle.Weak())
    thread->stale_reads = nullptr;
  SpinMutexLock lock(&mutex);
  while (ReaderNotes *notes = first) {
    first = notes->next;
    FreeRecord(notes);
  }
}

void PrintStaleReads(const Tid *tids, uptr count) {
  for (ReaderNotes *thread = first; thread; thread = thread->next) {
    bool asked = !tids;
    for (uptr i = 0; i < count; i++)
      asked |= tids[i] == thread->tid;
    if (asked)
      PrintLast(*thread);
  }
}

void PrintAllStaleReads() {
  if (!first)
    return;
  ThreadRegistryLock registry(&ctx->thread_registry);
  Lock slots(&ctx->slot_mtx);
  PrintStaleReads(nullptr, 0);
}

void PrintNewStaleReads(ThreadState *thr) {
  WeakThread *thread = thr->heddle.Weak();
  ReaderNotes *reads = thread ? thread->stale_reads : nullptr;
  if (!reads || reads->printed == reads->count)
    return;
  ScopedIgnoreInterceptors ignore;
  ScopedErrorReportLock report;
  ThreadRegistryLock registry(&ctx->thread_registry);
  Lock slots(&ctx->slot_mtx);
  for (; reads->printed < reads->count; reads->printed++)
    Print(*reads, reads->reads[reads->printed % ReaderNotes::kReads]);
}

} // namespace __heddle
