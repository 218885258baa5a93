//===-- heddle_weak_memory.h - Loads that read stale stores ---------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With weak_memory= an engine of heddle/model decides what an atomic operation
// reads, and what it thereby synchronises with. Memory holds the value of the store
// that is the last in modification order.
//
// The life of a location. The engine knows atomic operations only. Its history of
// a location ends with the location's SyncVar (heap blocks, mappings), and whenever
// an operation finds that somebody else has written there since the last one:
//   - memory does not hold what was stored last: code that is not instrumented;
//   - the shadow has a plain write that it did not have before: a constructor, a
//     placement new, a memset; or it has been cleared: a stack, reused.
// What memory holds then is the initial value of a new life. Of 16 bytes the shadow of the
// lower half is looked at. A plain write to the upper half alone that changes nothing is not
// noticed, and need not be: unless it is a race, all stores happen before it, so that only
// the last can be read by whoever it happens before.
//
// Where the hardware decides. A location that is accessed in different sizes, or
// overlaps another, or is in memory shared with other processes, has no history: the
// ordinary path is taken. So it is for 16 bytes with the buffer engine, whose records
// have no room for them.
//
// Locks. Under a schedule the engine is used by one thread at a time, but for free()
// and threads that are not controlled: one mutex, which nobody waits for. Without,
// the buffer engine works on each location under the location's own.
//
// See docs/weak-memory.md.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_WEAK_MEMORY_H
#define HEDDLE_RTL_WEAK_MEMORY_H

#include "heddle/model/thread.h"
#include "heddle/rtl/heddle_lost_writes.h"
#include "heddle/rtl/heddle_sync.h"
#include "tsan_rtl.h"

namespace __heddle {

struct StoredValue;

enum class WeakMemory : u8;

// What an atomic object holds, of up to 16 bytes.
using WideValue = unsigned __int128;

// Reads the flags, and makes the engine. Before a schedule is started.
void StartWeakMemory();

// The shadow of a location, to be looked at before the access is announced.
struct ShadowCells {
  u32 cells[__tsan::kShadowCnt];

  ShadowCells() = default;
  explicit ShadowCells(const volatile void *a) {
    auto *shadow = __tsan::MemToShadow(reinterpret_cast<uptr>(a));
    for (uptr i = 0; i < __tsan::kShadowCnt; i++)
      cells[i] = static_cast<u32>(__tsan::LoadShadow(&shadow[i]));
  }
};

// An atomic operation of the current thread on a location. The memory operation
// must be performed while it exists.
class WeakOperation {
public:
  // Without a schedule it looks at the shadow itself.
  WeakOperation(__tsan::ThreadState *thr, uptr pc, const volatile void *a, u32 size,
                const ShadowCells &shadow);
  ~WeakOperation();
  WeakOperation(const WeakOperation &) = delete;
  WeakOperation &operator=(const WeakOperation &) = delete;

  // Whether the engine knows nothing of the location; none of the below then.
  bool hardware() const { return !location_; }

  // `memory` is what memory holds. What is stored must be written there if it is_last().
  WideValue Load(WideValue memory, Order order);
  // A relaxed load of the last store, as by the kernel.
  void ReadLast(WideValue memory);
  void Store(WideValue memory, WideValue value, Order order);
  // Returns the old value; the new one is `apply(old, operand)`.
  WideValue Rmw(WideValue memory, WideValue (*apply)(WideValue old, WideValue operand),
                WideValue operand, Order order);
  // If it must not fail where the newest store has the expected value, it is `sure`.
  // EndRelease must follow a success, when it has been announced.
  bool CompareExchange(WideValue memory, WideValue *expected, WideValue desired, Order order,
                       Order failure, bool weak, bool sure);
  static void EndRelease(__tsan::ThreadState *thr);
  // Whether the store is the last in modification order.
  bool is_last() const { return last_; }

private:
  void Meet(WideValue memory);
  void AcquireAnnotated(Order order);
  StoredValue NewStore(WideValue value);
  StoredValue Restore(u32 newer);
  void Loaded(Order order);
  void Stored(WideValue value, bool last);
  void Modified(const StoredValue &read, bool controlled);
  void NobodyHasNewest();
  void HasNewest(Order order, bool acquired);
  void NoteStale(const StoredValue &value, u32 newer, __tsan::AccessType access);

  __tsan::ThreadState *thr_;
  uptr pc_;
  bool synced_before_;
  __tsan::SlotLocker slot_;
  WeakThread *thread_;
  __tsan::SyncVar *sync_;
  WeakLocation *location_ = nullptr;
  ShadowCells shadow_;
  bool last_ = true;
};

void WeakFence(__tsan::ThreadState *thr, Order order);

// The thread is about to wait in the kernel; it has woken another one; it has been woken. See
// VisibleToAll. Under a schedule.
void WeakThreadWaits(__tsan::ThreadState *thr);
void WeakThreadWakes(__tsan::ThreadState *thr);
void WeakThreadIsWoken(__tsan::ThreadState *thr);
// The kernel has compared this word for the thread with a value.
void WeakReadByKernel(__tsan::ThreadState *thr, uptr pc, const u32 *word);

// __tsan_acquire of a location with a history. The slot and the location are locked.
void AcquireWeakly(__tsan::ThreadState *thr, __tsan::SyncVar *s);

// The life of threads under a schedule: a thread knows what its creator knew.
WeakThread *NewWeakThread(__tsan::ThreadState *creator);
void WeakThreadBegins(__tsan::ThreadState *thr, WeakThread *thread);
void WeakThreadEnds(WeakThread *thread);
// A thread waits for the end of another, which need not have begun; null: it goes on.
void WeakThreadAwaits(WeakThread *thread, WeakThread *awaited);
// Likewise without a schedule, by the pthread_t; 0: it goes on.
void WeakThreadJoins(__tsan::ThreadState *thr, uptr handle);
void DiscardWeakThread(WeakThread *thread);

// Executions in one process, see heddle_explore.cpp. Another engine, or none, is to be used; there
// is a schedule, and no thread is in an operation.
void UseWeakMemory(WeakMemory kind);
// Null, or what is wrong with it.
const char *CheckWeakMemory(WeakMemory kind, bool scheduled);
// The next execution begins, with one thread.
void BeginWeakExecution(__tsan::ThreadState *thr);
// The thread's part in one is over, and it goes on.
void EndWeakThread(__tsan::ThreadState *thr);

// Memory that other processes may see: what is there is the hardware's.
void SharedMapping(uptr begin, uptr size, bool shared);
bool IsShared(uptr addr);

} // namespace __heddle

#endif // HEDDLE_RTL_WEAK_MEMORY_H
