//===-- heddle_weak_impl.h - The state of weak memory in the runtime ------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the files of weak memory and the notes about stale reads share.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_WEAK_IMPL_H
#define HEDDLE_RTL_WEAK_IMPL_H

#include "heddle/choice/random.h"
#include "heddle/rtl/heddle_lost_writes.h"
#include "heddle/rtl/heddle_newest.h"
#include "heddle/rtl/heddle_weak_memory.h"
#include "heddle/rtl/heddle_weak_policy.h"

namespace __heddle {

// Exactly one of them, if weak_memory. heddle::Explore may change which.
extern Buffer *buffer_engine;
extern Mograph *mograph_engine;
// The engine's, under a schedule. Without one: of the order S of seq_cst fences, and of
// the threads.
extern __sanitizer::StaticSpinMutex engine_mutex;

inline bool Scheduled() { return !RuntimePolicy::kConcurrent; }

enum class PlainAccess : u8 { kNone, kRead, kPerhapsWrite, kWrite };

// An atomic object with a history. Zero before its first life, but for the history.
struct WeakLocation {
  u64 last;   // what memory holds, as far as we know: the last store in modification order
  u32 id;     // in the order of creation
  u32 serial; // stores in this life
  union {
    u32 few_plain[2]; // accesses in the shadow that are not atomic, as last seen
    u32 *many_plain;  // kShadowCnt of them
  };
  u32 lost_seen; // of LostWrites
  u8 size;
  bool has_many_plain : 1;
  bool hardware : 1; // it has none, for good
  bool is_new : 1;   // its first life has yet to begin
  bool has_shadow : 1;
  bool in_mograph : 1; // whose the history is
  bool to_be_given_up; // its next operation has it give up its history
  u8 execution;        // of its last operation, see WeakExecution

  alignas(8) char history[sizeof(Mograph::Location) > sizeof(Buffer::Location)
                              ? sizeof(Mograph::Location)
                              : sizeof(Buffer::Location)];
  // Of 16 bytes, the upper half of `last` follows.

  Buffer::Location *InBuffer() { return reinterpret_cast<Buffer::Location *>(history); }
  Mograph::Location *InMograph() { return reinterpret_cast<Mograph::Location *>(history); }

  u64 *LastUpper() { return reinterpret_cast<u64 *>(history + sizeof(history)); }

  // Whether `memory` is what was stored last.
  bool Holds(WideValue memory) {
    return last == static_cast<u64>(memory) &&
           (LIKELY(size <= sizeof(u64)) || *LastUpper() == static_cast<u64>(memory >> 64));
  }
  void SetLast(WideValue value) {
    last = static_cast<u64>(value);
    if (UNLIKELY(size > sizeof(u64)))
      *LastUpper() = static_cast<u64>(value >> 64);
  }

  static WeakLocation *New(__tsan::ThreadState *thr, uptr addr, u32 size);
  void BeginLife(WideValue memory);
  void EndLife();
  void GoOn(WideValue memory);
  void JoinReleased(RuntimeClock *clock);
  void Free();
  PlainAccess AccessedPlainly(uptr addr, const ShadowCells &shadow);
  bool Knows(u32 plain_access) const;
  void SetPlain(const u32 *accesses, u32 count); // kShadowCnt of them, the others are 0
  // Whether AccessedPlainly would find nothing new, and what was there still is. Also for who
  // has not locked the location.
  bool Untouched(uptr addr, const ShadowCells &shadow) const;
};

// The executions of heddle::Explore. What an earlier one has left in a location is the past of all
// threads: its history begins anew with the first operation of the next, so that none grows. That
// one which is met again after 256 executions goes on does no harm.
struct WeakExecution {
  static u8 current;
  static __sanitizer::atomic_uint32_t locations; // met in it, from which they have their ids
  static u32 NextId() { return atomic_fetch_add(&locations, 1, __sanitizer::memory_order_relaxed); }
};

// A load that has read an older store than the last.
struct StaleRead {
  u64 tick;
  uptr pc;
  uptr addr;
  u32 size;
  u32 newer; // stores after it in modification order
  __tsan::AccessType access;
  __tsan::Sid sid;
  __tsan::Epoch epoch;
  StoredValue store;
};

struct ReaderNotes; // heddle_stale_reads.cpp

struct WeakThread {
  explicit WeakThread(const __tsan::VectorClock &clock);
  // Made on first use. The slot is locked.
  static WeakThread *Of(__tsan::ThreadState *thr) {
    WeakThread *thread = thr->heddle.Weak();
    return LIKELY(thread) ? thread : Unannounced(thr);
  }
  void Begin(__tsan::ThreadState *thr);
  void MoveTo(__tsan::ThreadState *thr);
  // The slot is locked, and the engine is ours. `synced`: the clock may have grown.
  void Refresh(__tsan::ThreadState *thr, bool synced) {
    if (UNLIKELY(global_epoch != thr->slot_epoch ||
                 __atomic_load_n(&engine_epoch, __ATOMIC_ACQUIRE) != thr->slot_epoch ||
                 model.slot() != u32(thr->fast_state.sid())))
      RefreshClocks(thr);
    else if (UNLIKELY(synced))
      model.Changed();
  }

  // Finite visibility. A thread that has read the same stale store of a location so many
  // times in a row is waiting for others, and reads the last. So is one whose RMWs of the
  // location all went before the last store: those have stores of their own, so that each
  // reads another one. A loop that asks more locations than are kept here is told the
  // truth now and then; the number is a prime, so that it is not always about the same one.
  static constexpr u32 kMaxStaleReads = 8, kMaxQuestions = 1021;
  bool MustSeeNewest(const WeakLocation *location) const {
    const Spin &spin = spins[location->id % kSpins];
    return questions >= kMaxQuestions ||
           (spin.location == location->id && spin.reads >= kMaxStaleReads);
  }
  // What is to be read, if there is a choice.
  bool AskedForNewest(const WeakLocation *location) {
    const bool newest = MustSeeNewest(location);
    questions = questions >= kMaxQuestions ? 0 : questions + 1;
    return newest;
  }
  void Loaded(const WeakLocation *location, u64 store, u32 newer) {
    Spin &spin = spins[location->id % kSpins];
    if (!newer || spin.location != location->id || spin.store != store)
      spin = {location->id, 0, store};
    spin.reads++;
  }
  void Modified(const WeakLocation *location, u32 newer) { Loaded(location, kByRmw, newer); }

  __tsan::VectorClock *inherited; // until the thread begins
  ModelThreadState model;
  uptr global_epoch = 0;
  bool defers_release = false;   // the epoch is not to end yet
  bool deferred_release = false; // and would have
  bool ended = false;            // nobody waits for what it may still read
  uptr handle = 0;               // without a schedule: its pthread_t
  uptr joins = 0;                // and that of the thread whose end it waits for
  WeakThread *next = nullptr;    // of those that have begun and not ended
  Random random;                 // without a schedule
  NewestMark newest;             // likewise

  struct Spin {
    u32 location; // its id
    u32 reads;    // of the store, in a row
    u64 store;    // its number, or kByRmw for any
  };
  static constexpr u64 kByRmw = ~0ull;
  static constexpr u32 kSpins = 64;
  Spin spins[kSpins] = {};
  u32 questions = 0; // since the last that kMaxQuestions answered

  ReaderNotes *stale_reads = nullptr;

  static uptr engine_epoch; // the global epoch that the engine's clocks are of

private:
  static WeakThread *Unannounced(__tsan::ThreadState *thr);
  void RefreshClocks(__tsan::ThreadState *thr);
  static void StartEngineAnew(uptr epoch);
};

ALWAYS_INLINE bool WeakLocation::Untouched(uptr addr, const ShadowCells &shadow) const {
  const u32 bytes = ((1u << size) - 1) << (addr % __tsan::kShadowCell) & 0xff;
  constexpr u32 kAtomic = 1u << 31;
  u32 any = 0, count = 0;
  for (u32 cell : shadow.cells) {
    any |= cell;
    if (LIKELY(!(cell & bytes) || cell & kAtomic))
      continue;
    if (count == 2 || cell != few_plain[count++])
      return false;
  }
  return any && !has_many_plain && (count == 2 || !few_plain[count]) &&
         LostWrites::Of(__tsan::MemToShadow(addr)).count() == lost_seen;
}

// heddle_stale_reads.cpp
void NoteStaleRead(__tsan::ThreadState *thr, WeakThread *thread, const StaleRead &read);

} // namespace __heddle

#endif // HEDDLE_RTL_WEAK_IMPL_H
