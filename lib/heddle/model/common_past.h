//===-- common_past.h - What all threads have synchronised with -----------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The minimum of the clocks of all threads (section 6.1 of the C11Tester paper).
// What happens before the next operation of every thread hides, for good, all
// that is before it in modification order: the engines need not remember that.
//
// The answers may lag behind. Clocks only grow, and a thread begins with what the
// thread that created it knew, so what was common to all threads stays so.
//
// A thread that waits for another one's end will know all that the other does: a
// main thread that joins its workers does not keep what they have forgotten.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_MODEL_COMMON_PAST_H
#define HEDDLE_MODEL_COMMON_PAST_H

#include "heddle/model/queue.h"
#include "heddle/model/thread.h"

namespace __heddle {

template <class Policy> class CommonPast {
public:
  using Thread = ModelThread<Policy>;

  // `lag`: answers may be remembered for a while.
  explicit CommonPast(bool lag) : queries_per_thread_(lag ? 8 : 0) {}

  void Begin(Thread *thread) {
    thread->may_ask = true;
    threads_.PushBack({thread, nullptr});
    known_.Clear(); // a thread that nobody created knows nothing yet
  }
  void End(const Thread *thread) {
    thread->may_ask = false;
    for (u32 i = 0; i < threads_.size(); i++)
      if (threads_[i].awaited == thread)
        threads_[i].awaited = nullptr; // it is about to know
    for (u32 i = 0; i < threads_.size(); i++) {
      if (threads_[i].thread == thread) {
        threads_[i] = threads_.Back();
        threads_.PopBack();
        return;
      }
    }
  }

  // `thread` does nothing before the end of `awaited`; null: it goes on.
  void Await(const Thread *thread, Thread *awaited) {
    for (u32 i = 0; i < threads_.size(); i++)
      if (threads_[i].thread == thread)
        threads_[i].awaited = awaited;
  }

  // All clocks start anew. Those of threads that do nothing meanwhile are of no use until
  // ModelThread::MoveTo.
  void StartAnew() {
    Lock();
    known_.Clear();
    for (u32 i = 0; i < threads_.size(); i++)
      threads_[i].thread->behind = true;
    Unlock();
  }

  u32 threads() const { return threads_.size(); }
  // Calls `visit(view)` for each thread: view.Get(slot) is an epoch that happens before
  // whatever the thread does next.
  template <class Visit> void ForEach(Visit visit) const {
    for (u32 i = 0; i < threads_.size(); i++)
      visit(threads_[i]);
  }

  // Where threads run in parallel: those whom Begin has told of may ask at the same time,
  // while nobody changes anything here. False: somebody does.
  bool BeginAsking(Thread *by) {
    if (!Policy::kConcurrent)
      return true;
    if (!by->may_ask)
      return false;
    __atomic_exchange_n(&by->asks, true, __ATOMIC_SEQ_CST);
    if (!__atomic_load_n(&changing_, __ATOMIC_SEQ_CST))
      return true;
    EndAsking(by);
    return false;
  }
  void EndAsking(Thread *by) {
    if (Policy::kConcurrent)
      __atomic_store_n(&by->asks, false, __ATOMIC_RELEASE);
  }
  // For one at a time.
  void Lock() {
    if (!Policy::kConcurrent)
      return;
    while (__atomic_exchange_n(&changing_, true, __ATOMIC_SEQ_CST)) {
    }
    for (u32 i = 0; i < threads_.size(); i++)
      while (__atomic_load_n(&threads_[i].thread->asks, __ATOMIC_SEQ_CST)) {
      }
  }
  void Unlock() {
    if (Policy::kConcurrent)
      __atomic_store_n(&changing_, false, __ATOMIC_RELEASE);
  }

  // An epoch of `slot` that happens before whatever any thread does next. With no
  // threads to ask, none does.
  u32 Epoch(u32 slot) {
    if (threads_.empty())
      return 0;
    while (known_.size() <= slot)
      known_.PushBack({0, 0});
    Known &known = known_[slot];
    if (++queries_ > known.refresh_at) {
      known.epoch = Minimum(slot);
      known.refresh_at = queries_ + queries_per_thread_ * threads_.size();
    }
    return known.epoch;
  }

private:
  struct Member {
    Thread *thread;
    Thread *awaited; // or null

    // What the thread will know when it goes on, as far as that is certain now.
    u32 Get(u32 slot) const {
      const u32 epoch = EpochOf(thread, slot);
      const u32 other = awaited ? EpochOf(awaited, slot) : 0;
      return other > epoch ? other : epoch;
    }
    static u32 EpochOf(const Thread *thread, u32 slot) {
      return thread->behind ? 0 : thread->clock().Get(slot);
    }
  };
  struct Known {
    u32 epoch;
    u64 refresh_at; // in queries
  };

  u32 Minimum(u32 slot) const {
    u32 minimum = ~0u;
    for (u32 i = 0; i < threads_.size(); i++) {
      u32 epoch = threads_[i].Get(slot);
      minimum = epoch < minimum ? epoch : minimum;
    }
    return minimum;
  }

  // So seldom are all threads asked that their number hardly shows in the cost.
  const u32 queries_per_thread_;
  Queue<Member, Policy> threads_;
  Queue<Known, Policy> known_; // by slot
  u64 queries_ = 0;
  bool changing_ = false;
};

} // namespace __heddle

#endif // HEDDLE_MODEL_COMMON_PAST_H
