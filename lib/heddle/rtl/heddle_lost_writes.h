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
// So who takes a cell leaves a note, if the bytes are an atomic object's with a history.
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

// Of eight bytes with an atomic object. Made with its history, and never freed.
class LostWrites {
public:
  // Those of a location; the object's bytes are looked out for from now on.
  static LostWrites *Of(uptr addr, u8 bytes);

  // Seams shadow-full: an access is about to take the cell, which may be another's.
  static ALWAYS_INLINE void BeforeReplacing(const __tsan::RawShadow *shadow, uptr index) {
    if (LIKELY(!weak_memory))
      return;
    // Or all that it is computed from would take up registers on the fast path.
    __asm__ volatile("" : "+r"(shadow), "+r"(index));
    const __tsan::Shadow old(__tsan::LoadShadow(const_cast<__tsan::RawShadow *>(&shadow[index])));
    if (old.raw() == __tsan::Shadow::kEmpty || old.IsBothReadsOrAtomic(kReadOrAtomic))
      return;
    for (LostWrites *of = First(shadow); of; of = of->next_) {
      if (of->shadow_ == shadow) {
        if (old.access() & of->bytes_)
          of->Add(old);
        return;
      }
    }
  }

  u32 count() const { return __atomic_load_n(&count_, __ATOMIC_RELAXED); }
  // Whether there may be one since the first `*seen` that is `wanted`. Counts on. To be
  // asked after a look at the shadow.
  template <class Wanted> bool AnySince(u32 *seen, Wanted wanted) const {
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    const u32 end = count();
    bool any = end - *seen > kKept;
    for (u32 i = *seen; i != end && !any; i++)
      any = wanted(__tsan::Shadow(
          static_cast<__tsan::RawShadow>(__atomic_load_n(&kept_[i % kKept], __ATOMIC_RELAXED))));
    *seen = end;
    return any;
  }

private:
  // A location knows no more plain accesses than the shadow has cells: if this many are lost
  // between two looks, there is a new one among them, or among a neighbour's.
  static constexpr u32 kKept = 2 * __tsan::kShadowCnt;
  static constexpr uptr kBuckets = 1 << 14;
  static constexpr __tsan::AccessType kReadOrAtomic = __tsan::kAccessRead | __tsan::kAccessAtomic;

  static uptr BucketOf(const __tsan::RawShadow *shadow) {
    return reinterpret_cast<uptr>(shadow) / (__tsan::kShadowCnt * __tsan::kShadowSize) % kBuckets;
  }
  static LostWrites *First(const __tsan::RawShadow *shadow) {
    return __atomic_load_n(&buckets[BucketOf(shadow)], __ATOMIC_ACQUIRE);
  }

  // Who does not find the write in the shadow any more finds it here.
  ALWAYS_INLINE void Add(const __tsan::Shadow &write) {
    const u32 at = __atomic_fetch_add(&count_, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&kept_[at % kKept], static_cast<u32>(write.raw()), __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
  }

  static LostWrites *buckets[kBuckets];

  LostWrites *next_;
  const __tsan::RawShadow *shadow_;
  u32 kept_[kKept]; // the last, as they were in the shadow
  u32 count_;
  u8 bytes_; // as in Shadow::access()
};

} // namespace __heddle

#endif // HEDDLE_RTL_LOST_WRITES_H
