//===-- heddle_newest.h - Who has the newest store ------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which threads have read or written the newest store to a location: by coherence
// they can read nothing else there, and need no lock to find out. The threads are
// kept in one word, so that a load sees at once whether it is still so.
//
// The word takes the place of the location's ClockId, which says nothing where the
// engine has the clocks. Bit 63 tells it from an id, bit 0 says that there is no
// clock, and each thread has one of four lanes for its number. A lane may be another
// thread's: then the location is locked, as it would be without all this. Bit 62 says that
// a seq_cst operation has read or written the store: the engine has to be told of the first.
//
// See "Loads without a lock" in docs/weak-memory.md.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_NEWEST_H
#define HEDDLE_RTL_NEWEST_H

#include "heddle/rtl/heddle_sync.h"

namespace __heddle {

class NewestMark {
public:
  // Numbers are never used twice: those who come late have none.
  NewestMark() {
    static __sanitizer::atomic_uint32_t numbers;
    const u32 number =
        1 + __sanitizer::atomic_fetch_add(&numbers, 1, __sanitizer::memory_order_relaxed);
    if (number >= kEnd)
      return;
    shift_ = 1 + number % kLanes * kLaneBits;
    mark_ = u64(number) << (shift_ + 1);
  }

  // Whether the thread has the newest store, and if it is asked: all that was released
  // with it, and whether a seq_cst operation has it.
  bool In(ClockId word, bool acquired, bool seq_cst) const {
    const u64 is = kIsWord | (seq_cst ? kSeqCst : 0);
    const u64 wanted = is | mark_ | u64(acquired) << shift_;
    const u64 lane = kLane << shift_ & ~(acquired ? 0 : u64(1) << shift_);
    return mark_ && (word & (is | 1 | lane)) == wanted;
  }
  // Likewise from now on, besides those who have it already.
  ClockId AddTo(ClockId word, bool acquired, bool seq_cst) const {
    if (!(word & kIsWord))
      word = kIsWord;
    if (seq_cst)
      word |= kSeqCst;
    if (!mark_)
      return word;
    return (word & ~(kLane << shift_)) | mark_ | u64(acquired) << shift_;
  }

private:
  static constexpr u64 kIsWord = u64(1) << 63, kSeqCst = u64(1) << 62;
  static constexpr u32 kLanes = 4, kLaneBits = 15; // the lowest is `acquired`
  static constexpr u64 kLane = (u64(1) << kLaneBits) - 1;
  static constexpr u32 kEnd = 1 << (kLaneBits - 1);

  u32 shift_ = 0;
  u64 mark_ = 0;
};

} // namespace __heddle

#endif // HEDDLE_RTL_NEWEST_H
