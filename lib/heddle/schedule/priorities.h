//===-- priorities.h - Priorities of threads ------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What pct and pctwm share. From the highest to the lowest: random priorities, which
// threads begin with and which differ but for one in 2^63; those that a strategy lowers
// threads to, by number; those of threads that have sunk below all others, the last of them
// the lowest.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_SCHEDULE_PRIORITIES_H
#define HEDDLE_SCHEDULE_PRIORITIES_H

#include "heddle/choice/random.h"
#include "heddle/schedule/enabled_set.h"

namespace __heddle {

template <class Memory> class Priorities {
public:
  void Begin(ThreadId thread, Random &random) {
    Require(thread == priorities_.Size());
    priorities_.Push(kInitial | random.Next() >> 1);
  }
  // The index in `enabled` of the thread with the highest.
  u32 Highest(const EnabledSet<Memory> &enabled) const {
    u32 highest = 0;
    for (u32 i = 1; i < enabled.Count(); i++)
      if (priorities_[enabled[i]] > priorities_[enabled[highest]])
        highest = i;
    return highest;
  }
  // False if the thread is not above that already.
  bool Lower(ThreadId thread, u32 number) {
    if (kLowered + number >= priorities_[thread])
      return false;
    priorities_[thread] = kLowered + number;
    return true;
  }
  void Sink(ThreadId thread) { priorities_[thread] = --lowest_; }

private:
  static constexpr u64 kInitial = u64(1) << 63;
  static constexpr u64 kLowered = u64(1) << 62;

  Growable<u64, Memory> priorities_; // by thread
  u64 lowest_ = kLowered;
};

} // namespace __heddle

#endif // HEDDLE_SCHEDULE_PRIORITIES_H
