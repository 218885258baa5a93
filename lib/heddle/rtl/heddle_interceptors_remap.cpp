//===-- heddle_interceptors_remap.cpp - Mappings that move ----------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mremap gives memory another address. What is known of the memory goes along, or is forgotten;
// nothing of what was at the new address before may be taken for it. Upstream does not know the
// call at all.
//
// - Synchronisation moves: what was released through an atomic object, or a mutex, is acquired
//   through it at its new address. Histories of stores end; the memory has the newest.
// - Accesses are forgotten. A race of one before with one after it could not be reported anyway:
//   the traces know the old address only.
// - What the mapping has grown by is new, and its pages are written by the thread, as by mmap.
//
// It is an operation under a schedule, with or without flags.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_layout.h"
#include "heddle/rtl/heddle_shared_memory.h"
#include "heddle/rtl/heddle_weak_memory.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_posix.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>

using namespace __sanitizer;
using namespace __tsan;
using namespace __heddle;

namespace {

constexpr uptr kLargest = uptr(1) << 47; // of a mapping: what is larger is an error

struct Range {
  uptr begin, size;

  uptr End() const { return begin + size; }
  Range From(uptr offset) const { return {begin + Min(offset, size), size - Min(offset, size)}; }
};

bool IsOfProgram(const Range &range) {
  return range.size && IsAppMem(range.begin) && IsAppMem(range.End() - 1);
}

// The pages of the shadow are given back, and are zero when they are next looked at.
void ForgetAccesses(const Range &range) {
  const uptr begin = reinterpret_cast<uptr>(MemToShadow(range.begin));
  ReleaseMemoryPagesToOS(begin, begin + range.size * kShadowMultiplier);
}

// The slot is locked.
void ForgetObjects(ThreadState *thr, const Range &range) {
  ctx->metamap.ResetRange(thr->proc(), range.begin, range.size, /*reset=*/true);
}

void EndHistories(ThreadState *thr, const Range &range) {
  for (uptr cell = range.begin; cell < range.End(); cell += kMetaShadowCell) {
    if (LIKELY(!*MemToMeta(cell)))
      continue;
    for (uptr at = cell; at < cell + kMetaShadowCell; at++) {
      SyncVar *s = ctx->metamap.GetSyncIfExists(at);
      if (!s || !s->heddle.weak())
        continue;
      Lock lock(&s->mtx);
      s->heddle.GiveUpWeak(thr);
    }
  }
}

// Memory that is at `from` is about to be at `to`.
void Moves(ThreadState *thr, const Range &from, const Range &to) {
  ScopedGlobalProcessor processor;
  SlotLocker locker(thr, true);
  ForgetObjects(thr, to);
  ForgetAccesses(to);
  if (weak_memory)
    EndHistories(thr, from);
  ctx->metamap.MoveMemory(from.begin, to.begin, Min(from.size, to.size));
  ForgetObjects(thr, from);
  ForgetAccesses(from);
}

void Forget(ThreadState *thr, const Range &range) {
  if (!IsOfProgram(range))
    return;
  ScopedGlobalProcessor processor;
  SlotLocker locker(thr, true);
  ForgetObjects(thr, range);
  ForgetAccesses(range);
}

uptr Call(const Range &from, uptr new_size, int flags, uptr to) {
  return internal_mremap(reinterpret_cast<void *>(from.begin), from.size, new_size, flags,
                         reinterpret_cast<void *>(to));
}

// As soon as the system has moved it, another thread may get the old address: what is known of the
// memory goes first.
uptr MoveTo(ThreadState *thr, const Range &from, const Range &to, int flags) {
  const bool overlap = from.begin < to.End() && to.begin < from.End();
  if (overlap || !IsOfProgram(from) || !IsOfProgram(to))
    return Call(from, to.size, flags, to.begin);
  Moves(thr, from, to);
  const uptr result = Call(from, to.size, flags, to.begin);
  if (internal_iserror(result))
    Moves(thr, to, from);
  return result;
}

// It is moved if there is no room where it is. The place is taken first, so as to be known.
uptr MoveIfNeeded(ThreadState *thr, const Range &from, uptr new_size, int flags) {
  int error;
  const uptr result = Call(from, new_size, flags & ~MREMAP_MAYMOVE, 0);
  if (!internal_iserror(result, &error) || error != ENOMEM)
    return result;
  const uptr place = uptr(KernelCall(SYS_mmap, nullptr, new_size, PROT_NONE,
                                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  if (place == uptr(-1))
    return Call(from, new_size, flags & ~MREMAP_MAYMOVE, 0); // the same error
  const uptr moved = MoveTo(thr, from, {place, new_size}, flags | MREMAP_FIXED);
  if (internal_iserror(moved))
    KernelCall(SYS_munmap, place, new_size);
  return moved;
}

// A mapping of size 0 is not moved: its pages are shown once more, as only shared ones can be. With
// MREMAP_DONTUNMAP the old address has other pages from then on.
uptr Remap(ThreadState *thr, uptr pc, const Range &from, uptr new_size, int flags, uptr to) {
  constexpr int kDontUnmap = 4;
  const bool moves = from.size && !(flags & kDontUnmap);
  if (moves)
    Forget(thr, from.From(new_size));
  const uptr result = !moves                   ? Call(from, new_size, flags, to)
                      : flags & MREMAP_FIXED   ? MoveTo(thr, from, {to, new_size}, flags)
                      : flags & MREMAP_MAYMOVE ? MoveIfNeeded(thr, from, new_size, flags)
                                               : Call(from, new_size, flags, to);
  if (internal_iserror(result))
    return result;
  const Range now = {result, new_size};
  if (UNLIKELY(processes_together)) {
    NoteMapping(from.begin, from.size, /*shared=*/from.begin == result);
    NoteMapping(now.begin, now.size, /*shared=*/true); // if it is
  }
  if (result != from.begin)
    SharedMapping(now.begin, now.size, IsShared(from.begin));
  if (!moves)
    Forget(thr, now);
  if (!moves && from.size)
    Forget(thr, from);
  const Range gained = moves ? now.From(from.size) : Range{};
  if (IsOfProgram(gained))
    MemoryRangeImitateWriteOrResetRange(thr, pc, gained.begin, gained.size);
  return result;
}

} // namespace

HEDDLE_WEAK_FUNCTION(void *, mremap, (void *at, uptr size, uptr new_size, int flags, void *to)) {
  auto remap = [&](ThreadState *thr, uptr pc) {
    const uptr page = GetPageSizeCached(), begin = reinterpret_cast<uptr>(at);
    const bool sound =
        thr->is_inited && begin % page == 0 && size < kLargest && new_size && new_size < kLargest;
    const uptr result = sound ? Remap(thr, pc, {begin, RoundUpTo(size, page)},
                                      RoundUpTo(new_size, page), flags, reinterpret_cast<uptr>(to))
                              : internal_mremap(at, size, new_size, flags, to);
    int error;
    if (!internal_iserror(result, &error))
      return reinterpret_cast<void *>(result);
    errno = error;
    return MAP_FAILED;
  };
  if (LIKELY(!schedule_controlled))
    return remap(cur_thread_init(), GET_CURRENT_PC());
  HEDDLE_CONTROLLED_OR(mremap, return remap(thr, GET_CURRENT_PC()));
  VisibleOperation visible(thr, pc, OperationKind::kSystemCall, at);
  AwaitStacks();
  return remap(thr, pc);
}
