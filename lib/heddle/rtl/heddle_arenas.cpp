//===-- heddle_arenas.cpp - The heap in a recording and a replay ----------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each thread has an arena (heddle/memory/arena.h) from its creation to its end, both of
// which are operations. When all have been used, a new thread gets the one whose thread
// has ended first.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_arenas.h"

#include "heddle/memory/arena.h"
#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_layout.h"
#include "sanitizer_common/sanitizer_allocator.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_mutex.h"
#include "tsan_rtl.h"

using namespace __sanitizer;
using namespace __tsan;

namespace __sanitizer {

uptr arenas_begin, arenas_size;

struct ThreadArena {
  __heddle::Arena arena;
  atomic_uint8_t left; // its thread is done with it
  ThreadArena *next_left;
};

} // namespace __sanitizer

namespace __heddle {
namespace {

// Of addresses. The main thread allocates more than others, also for them.
constexpr uptr kMainArena = uptr(1) << 38, kArena = uptr(1) << 32;

ArenaSpace space;
ChunkPool *pool; // changed with the turn

StaticSpinMutex mutex; // for threads that the schedule does not know
ThreadArena *arenas;
u32 used, count;
// In the order in which their threads have ended in the schedule.
ThreadArena *left, **left_end = &left;

template <class T> T *Reserve(uptr size) {
  void *memory = MmapNoReserveOrDie(size, "HeddleArenas");
  DontDumpShadowMemory(reinterpret_cast<uptr>(memory), size);
  return static_cast<T *>(memory);
}

void NoteFull(const char *what) {
  static atomic_uint8_t noted;
  if (!atomic_exchange(&noted, 1, memory_order_relaxed))
    Printf("WARNING: ThreadSanitizer: %s. From here on addresses of the heap may be others in a "
           "replay.\n",
           what);
}

ThreadArena *NextUnused() {
  const u32 i = used++;
  const uptr at = space.begin() + (i ? kMainArena + (i - 1) * kArena : 0);
  arenas[i].arena.Init(at, at + (i ? kArena : kMainArena));
  return &arenas[i];
}

// Its thread has ended, but may be on its way still.
ThreadArena *Reuse() {
  ThreadArena *arena = left;
  if (!arena)
    return nullptr;
  for (u64 limit = MonotonicNanoTime() + 1000000000;
       !atomic_load(&arena->left, memory_order_acquire);) {
    if (MonotonicNanoTime() > limit)
      return nullptr;
    internal_sched_yield();
  }
  left = arena->next_left;
  if (!left)
    left_end = &left;
  atomic_store_relaxed(&arena->left, 0);
  return arena;
}

ThreadArena *ArenaOf(ThreadState *thr) {
  return thr->proc() ? thr->proc()->alloc_cache.arena : nullptr;
}

} // namespace

void PrepareArenas(uptr begin, uptr size) {
  size = RoundDownTo(size, kArena);
  if (size < 2 * kMainArena || !MemoryRangeIsAvailable(begin, begin + size - 1) ||
      !MmapFixedSuperNoReserve(begin, size, "HeddleArenas")) {
    NoteFull("there is no room for the heaps of a recording");
    return;
  }
  space.Init(begin, size, Reserve<void>(ArenaSpace::UnitTableSize(size)),
             Reserve<void>(ArenaSpace::LinkTableSize(size)));
  count = u32((size - kMainArena) / kArena) + 1;
  arenas = Reserve<ThreadArena>(count * sizeof(ThreadArena));
  pool = Reserve<ChunkPool>(sizeof(ChunkPool));
  arenas_begin = begin;
  arenas_size = size;
}

OutsideOfArenas::OutsideOfArenas() : arena_(ArenaOf(cur_thread())) {
  if (arena_)
    cur_thread()->proc()->alloc_cache.arena = nullptr;
}
OutsideOfArenas::~OutsideOfArenas() {
  if (arena_)
    cur_thread()->proc()->alloc_cache.arena = arena_;
}

void ExchangeMemory(ThreadState *thr) {
  if (ThreadArena *arena = ArenaOf(thr))
    arena->arena.Exchange(space, *pool);
}

void GiveMemory(ThreadState *thr) {
  ThreadArena *arena = ArenaOf(thr);
  if (!arena)
    return;
  arena->arena.GiveAll(space, *pool);
  SpinMutexLock lock(&mutex);
  arena->next_left = nullptr;
  *left_end = arena;
  left_end = &arena->next_left;
}

} // namespace __heddle

//===-- For upstream's allocator ------------------------------------------===//

using namespace __heddle;

namespace __sanitizer {

ThreadArena *BeginArena() {
  SpinMutexLock lock(&mutex);
  ThreadArena *arena = used < count ? NextUnused() : Reuse();
  if (!arena)
    NoteFull("there are too many threads for a heap each");
  return arena;
}

void EndArena(ThreadArena *arena) { atomic_store(&arena->left, 1, memory_order_release); }

void *AllocateInArena(ThreadArena *arena, uptr size, uptr alignment) {
  const uptr chunk = arena->arena.Allocate(space, size, alignment);
  if (UNLIKELY(!chunk))
    NoteFull("the heap of a thread is full");
  return reinterpret_cast<void *>(chunk);
}

uptr FreeInArena(ThreadArena *arena, void *p) {
  const ArenaSpace::Chunk chunk = space.Find(reinterpret_cast<uptr>(p));
  const uptr size = SizeOfClass(chunk.size_class);
  const uptr released = size >= ArenaSpace::kUnit ? RoundDownTo(size, ArenaSpace::kUnit) : 0;
  if (released)
    ReleaseMemoryPagesToOS(chunk.begin, chunk.begin + released);
  if (arena)
    arena->arena.Free(space, chunk);
  return released;
}

void *BlockInArena(const void *p) {
  return reinterpret_cast<void *>(space.Find(reinterpret_cast<uptr>(p)).begin);
}

} // namespace __sanitizer
