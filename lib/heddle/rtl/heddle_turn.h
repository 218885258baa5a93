//===-- heddle_turn.h - Handing over from one thread to the next ----------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One word says whose turn it is:
//
//   free         nobody's: whoever needs it first may take it
//   given to t   t has been chosen, and may still be on its way
//   taken by t   t is between Wait and Tick, and nobody else is
//
// A thread whose turn it is not sleeps on a word of its own, so that giving it the
// turn wakes that thread and no other. A thread that goes on after its own
// operation changes the word twice and makes no system call.
//
// Who takes a free turn or one that was given to another must have a reason; this
// file only makes sure that there is one winner.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_TURN_H
#define HEDDLE_RTL_TURN_H

#include "heddle/schedule/operation.h"
#include "sanitizer_common/sanitizer_atomic.h"

namespace __heddle {

// Where a thread sleeps.
class Seat {
public:
  // It is in memory of several processes, and woken by any.
  void Share() { shared_ = true; }
  // Sleeps until Wake(), a signal, or for so many milliseconds, unless woken since
  // Prepare(). Negative: for ever. Returns false if the time is over.
  void Prepare() { __sanitizer::atomic_store(&asleep_, 1, __sanitizer::memory_order_seq_cst); }
  bool Sleep(int milliseconds);
  void Cancel() { __sanitizer::atomic_store(&asleep_, 0, __sanitizer::memory_order_relaxed); }
  void Wake() {
    if (__sanitizer::atomic_exchange(&asleep_, 0, __sanitizer::memory_order_seq_cst))
      WakeSleeper();
  }

private:
  void WakeSleeper();

  __sanitizer::atomic_uint32_t asleep_;
  bool shared_;
};

class Turn {
public:
  void Give(ThreadId thread) { Store(Given(thread)); }
  void Free() { Store(kFree); }

  bool IsFree() const { return Load() == kFree; }
  // To whom it was given, and who has not come yet; or kNoThread.
  ThreadId AwaitedThread() const {
    u32 word = Load();
    return word == kFree || (word & kTaken) ? kNoThread : (word >> 1) - 1;
  }

  // Whose turn it is, whether that thread has come or not; or kNoThread.
  ThreadId Holder() const {
    u32 word = Load();
    return word == kFree ? kNoThread : (word >> 1) - 1;
  }

  // Each takes the turn for `thread` if it is as the name says.
  bool TakeGiven(ThreadId thread) { return Replace(Given(thread), thread); }
  bool TakeFree(ThreadId thread) { return Replace(kFree, thread); }
  bool TakeFrom(ThreadId awaited, ThreadId thread) { return Replace(Given(awaited), thread); }
  // From one that is no more, whether it had come or not.
  bool TakeFromDead(ThreadId dead, ThreadId thread) {
    return Replace(Given(dead), thread) || Replace(Given(dead) | kTaken, thread);
  }

private:
  static constexpr u32 kFree = 0, kTaken = 1;
  static u32 Given(ThreadId thread) { return (thread + 1) << 1; }

  u32 Load() const { return __sanitizer::atomic_load(&word_, __sanitizer::memory_order_seq_cst); }
  void Store(u32 word) {
    __sanitizer::atomic_store(&word_, word, __sanitizer::memory_order_seq_cst);
  }
  bool Replace(u32 expected, ThreadId thread) {
    return __sanitizer::atomic_compare_exchange_strong(&word_, &expected, Given(thread) | kTaken,
                                                       __sanitizer::memory_order_seq_cst);
  }

  __sanitizer::atomic_uint32_t word_;
};

} // namespace __heddle

#endif // HEDDLE_RTL_TURN_H
