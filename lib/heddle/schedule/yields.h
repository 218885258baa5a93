//===-- yields.h - Threads that let others go first -----------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread that has yielded is held back until every other thread that can run,
// and is not held back itself, has run since. If all are, the one that yielded
// first goes on. So a loop that waits for another thread ends, whatever the odds
// of a strategy are: while all but one wait in loops, that one runs once in as
// many operations as it takes to notice the loops.
//
// The idea is from M. Musuvathi and S. Qadeer, "Fair Stateless Model Checking",
// PLDI 2008. There a thread that yields falls behind those that have been kept
// from running since its yield before; here behind all, which needs no relation
// between threads.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_SCHEDULE_YIELDS_H
#define HEDDLE_SCHEDULE_YIELDS_H

#include "heddle/schedule/enabled_set.h"

namespace __heddle {

template <class Memory> class Yields {
public:
  // What a strategy is told, in the same order.
  void Begin(ThreadId thread) {
    Require(thread == records_.Size());
    records_.Push({++clock_, 0});
  }
  void Clear() {
    records_.Clear();
    clock_ = 0;
  }
  void Ran(ThreadId thread) { records_[thread] = {++clock_, 0}; }
  void Yielded(ThreadId thread) { records_[thread].yielded = ++clock_; }

  // Lets go who need not be held back any more. Returns how many of the enabled
  // threads can be picked: one at least.
  u32 Update(const EnabledSet<Memory> &enabled) {
    u64 longest = ~0ull; // the last turn of the one that waits longest for its next
    ThreadId first = kNoThread;
    for (u32 i = 0; i < enabled.Count(); i++) {
      const Record &record = records_[enabled[i]];
      if (!record.yielded)
        longest = record.ran < longest ? record.ran : longest;
      else if (first == kNoThread || record.yielded < records_[first].yielded)
        first = enabled[i];
    }
    if (longest == ~0ull) {
      records_[first].yielded = 0;
      return 1;
    }
    u32 free = 0;
    for (u32 i = 0; i < enabled.Count(); i++) {
      Record &record = records_[enabled[i]];
      if (record.yielded < longest)
        record.yielded = 0;
      free += !record.yielded;
    }
    return free;
  }
  bool HeldBack(ThreadId thread) const { return records_[thread].yielded != 0; }

private:
  struct Record {
    u64 ran;     // when it last ran, or began
    u64 yielded; // when; 0: it is not held back
  };

  Growable<Record, Memory> records_; // by thread
  u64 clock_ = 0;                    // counts what is told
};

} // namespace __heddle

#endif // HEDDLE_SCHEDULE_YIELDS_H
