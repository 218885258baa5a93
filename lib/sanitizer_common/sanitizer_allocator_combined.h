//===-- sanitizer_allocator_combined.h - Upstream's, and threads' arenas --===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a recording and its replay the program's heap is the arenas of its threads
// (heddle/rtl/heddle_arenas.cpp). What they have no room for, and all else, is
// upstream's. This is included in the middle of sanitizer_allocator.h.
//
//===----------------------------------------------------------------------===//

#define CombinedAllocator UpstreamCombinedAllocator
#include "upstream/sanitizer_common/sanitizer_allocator_combined.h"
#undef CombinedAllocator

struct ThreadArena;
// All arenas are in there. Of no size if there are none.
extern uptr arenas_begin, arenas_size;
ThreadArena *BeginArena();
void EndArena(ThreadArena *arena);
void *AllocateInArena(ThreadArena *arena, uptr size, uptr alignment);
// Returns how many bytes there are the system's, if it is so much that it counts.
uptr FreeInArena(ThreadArena *arena, void *p);
void *BlockInArena(const void *p);
ALWAYS_INLINE bool IsInArena(const void *p) {
  return reinterpret_cast<uptr>(p) - arenas_begin < arenas_size;
}

template <class Primary, class PtrArray = DefaultLargeMmapAllocatorPtrArray>
class CombinedAllocator : public UpstreamCombinedAllocator<Primary, PtrArray> {};

// The runtime's own memory comes from another allocator than this.
template <class Params, class PtrArray>
class CombinedAllocator<SizeClassAllocator64<Params>, PtrArray>
    : public UpstreamCombinedAllocator<SizeClassAllocator64<Params>, PtrArray> {
  using Upstream = UpstreamCombinedAllocator<SizeClassAllocator64<Params>, PtrArray>;

public:
  struct AllocatorCache : Upstream::AllocatorCache {
    ThreadArena *arena;
  };

  void InitCache(AllocatorCache *cache) {
    Upstream::InitCache(cache);
    cache->arena = arenas_size ? BeginArena() : nullptr;
  }
  void DestroyCache(AllocatorCache *cache) {
    if (cache->arena)
      EndArena(cache->arena);
    Upstream::DestroyCache(cache);
  }

  void *Allocate(AllocatorCache *cache, uptr size, uptr alignment) {
    if (UNLIKELY(cache->arena != nullptr))
      if (void *p = AllocateInArena(cache->arena, size, alignment))
        return p;
    return Upstream::Allocate(cache, size, alignment);
  }
  void Deallocate(AllocatorCache *cache, void *p) {
    if (LIKELY(!IsInArena(p)))
      return Upstream::Deallocate(cache, p);
    if (uptr released = FreeInArena(cache->arena, p))
      typename Params::MapUnmapCallback().OnUnmap(reinterpret_cast<uptr>(p), released);
  }

  bool PointerIsMine(const void *p) const { return IsInArena(p) || Upstream::PointerIsMine(p); }
  void *GetBlockBegin(const void *p) {
    return IsInArena(p) ? BlockInArena(p) : Upstream::GetBlockBegin(p);
  }
};
