//===-- heddle_lost_writes.h - Plain writes that left the shadow ----------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plain write to an atomic object begins a new life of it, and is noticed by its cell
// in the shadow (WeakLocation::AccessedPlainly). The shadow of eight bytes has four cells:
// accesses to the neighbours may take that one before the next atomic operation looks.
// So who takes a cell leaves a note, if the bytes may be an atomic object's with a history.
//
// The entry points of plain accesses call nobody on their way, which is what makes them
// fast. All that they need is inlined here, behind one test.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_LOST_WRITES_H
#define HEDDLE_RTL_LOST_WRITES_H

#include "tsan_rtl.h"

namespace __heddle {

// Whether there is an engine of weak memory.
extern bool weak_memory;

// MetaMap::kFlagSync: the first of what the meta shadow of eight bytes lists is a SyncVar.
constexpr u32 kMetaSync = 2u << 30;

// Those of some cells, which share a place in a table.
class LostWrites {
public:
  static LostWrites &Of(const __tsan::RawShadow *shadow) { return table[CellOf(shadow) % kTable]; }

  // Seams shadow-full: an access is about to take the cell, which may be another's.
  static ALWAYS_INLINE void BeforeReplacing(const __tsan::RawShadow *shadow, uptr index) {
    if (LIKELY(!weak_memory))
      return;
    // Or all that it is computed from would take up registers on the fast path.
    __asm__ volatile("" : "+r"(shadow), "+r"(index));
    const __tsan::Shadow old(__tsan::LoadShadow(const_cast<__tsan::RawShadow *>(&shadow[index])));
    if (old.raw() == __tsan::Shadow::kEmpty || old.IsBothReadsOrAtomic(kReadOrAtomic))
      return;
    // A SyncVar is the first in its list, before a heap block. Where there is none, there is
    // no history.
    if (*__tsan::SelectMapping<ToMeta>(reinterpret_cast<uptr>(shadow)) & kMetaSync)
      Of(shadow).Add(shadow, old);
  }

  u32 count() const { return __atomic_load_n(&count_, __ATOMIC_RELAXED); }
  // Whether there is one in the cell since the first `*seen` that is `wanted`. Counts on.
  // To be asked after a look at the shadow. There may be, if so many have been lost that not
  // all are kept; they are mostly others'.
  enum class Found : u8 { kNo, kYes, kPerhaps };
  template <class Wanted>
  Found FindSince(u32 *seen, const __tsan::RawShadow *shadow, Wanted wanted) const {
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    const u32 end = count();
    if (LIKELY(end == *seen))
      return Found::kNo;
    bool any = false;
    for (u32 i = end - *seen > kKept ? end - kKept : *seen; i != end && !any; i++) {
      const u64 kept = __atomic_load_n(&kept_[i % kKept], __ATOMIC_RELAXED);
      any = static_cast<u32>(kept >> 32) == Tag(shadow) &&
            wanted(__tsan::Shadow(static_cast<__tsan::RawShadow>(static_cast<u32>(kept))));
    }
    // Some of them may have been overwritten, also while we looked.
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    const bool overwritten = count() - *seen > kKept;
    *seen = end;
    return any ? Found::kYes : overwritten ? Found::kPerhaps : Found::kNo;
  }

private:
  static constexpr u32 kKept = 4 * __tsan::kShadowCnt;
  static constexpr uptr kTable = 1 << 14;
  static constexpr __tsan::AccessType kReadOrAtomic = __tsan::kAccessRead | __tsan::kAccessAtomic;

  // From a cell in the shadow to the meta shadow of the same bytes.
  struct ToMeta {
    template <class Mapping> static const u32 *Apply(uptr shadow) {
      const uptr bytes =
          ((shadow - Mapping::kShadowAdd) / __tsan::kShadowMultiplier) ^ Mapping::kShadowXor;
      return reinterpret_cast<const u32 *>(
          (bytes / __tsan::kMetaShadowCell * __tsan::kMetaShadowSize) | Mapping::kMetaShadowBeg);
    }
  };
  static_assert(__tsan::kMetaShadowCell == __tsan::kShadowCell);

  static uptr CellOf(const __tsan::RawShadow *shadow) {
    return reinterpret_cast<uptr>(shadow) / (__tsan::kShadowCnt * __tsan::kShadowSize);
  }
  // Tells the cells that share a place apart.
  static u32 Tag(const __tsan::RawShadow *shadow) {
    return static_cast<u32>(CellOf(shadow) / kTable);
  }

  // Who does not find the write in the shadow any more finds it here.
  ALWAYS_INLINE void Add(const __tsan::RawShadow *shadow, const __tsan::Shadow &write) {
    const u32 at = __atomic_fetch_add(&count_, 1, __ATOMIC_RELAXED);
    const u64 kept = static_cast<u64>(Tag(shadow)) << 32 | static_cast<u32>(write.raw());
    __atomic_store_n(&kept_[at % kKept], kept, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
  }

  static LostWrites table[kTable];

  u64 kept_[kKept]; // the last, as they were in the shadow, with their tags
  u32 count_;
};

} // namespace __heddle

#endif // HEDDLE_RTL_LOST_WRITES_H
