//===-- buffer_seq_cst.h - The seq_cst fences of the buffer engine --------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// C++20's order S of seq_cst operations, where S is the order of execution
// ([atomics.order]p4). Let a load R read a store, and B write or read a newer store
// of the location. Then R is coherence-ordered before B, and
//
//   R itself, if it is seq_cst, and each seq_cst fence that happens before R
//
// precede in S
//
//   B itself, if it is seq_cst, and each seq_cst fence that B happens before.
//
// All other pairs of accesses are executed in the order that they have in coherence,
// and so are such fences. So a load has to look at the last operation of the first
// line (R, or the last fence that R knows of), and must read no older store than
// any B that has an operation of the second line before that. For fences this is a
// clock: what happens before any of the first n fences. For accesses it is a number:
// how many fences had been executed by then.
//
// Which fences a thread knows of is told by its clock, as mutexes and the life of
// threads count too. The last kKept fences are remembered. A thread that may know an
// older one is taken to know the oldest of them: fewer behaviours, none that is wrong.
//
// Where threads run in parallel, a fence is executed when executed() counts it, and an
// access when it reads executed(), under its location's lock. A seq_cst load reads
// executed() before past(), so that it finds there all the fences that precede it.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_MODEL_BUFFER_SEQ_CST_H
#define HEDDLE_MODEL_BUFFER_SEQ_CST_H

#include "heddle/model/queue.h"
#include "heddle/model/thread.h"

namespace __heddle {

template <class Policy> class BufferFences {
public:
  using Clock = typename Policy::Clock;
  using Thread = ModelThread<Policy>;

  static constexpr u32 kKept = 64;

  // How many fences there have been, and what happens before any of them.
  u32 executed() const { return __atomic_load_n(&executed_, __ATOMIC_ACQUIRE); }
  const Clock &past() const { return past_; }

  // Called within the epoch that the fence ends.
  void Fence(Thread *thread) {
    Lock();
    past_.Join(Clock(thread->clock()));
    thread->EnterInto(&past_);
    if (marks_.size() == kKept) {
      marks_.PopFront();
      pasts_.PopFront();
    }
    marks_.PushBack({thread->slot(), thread->epoch()});
    pasts_.PushBack(past_);
    __atomic_store_n(&executed_, executed_ + 1, __ATOMIC_RELEASE);
    Know(thread, marks_.size() - 1);
    Unlock();
  }

  // Finds the last fence that happens before what the thread does next.
  void Refresh(Thread *thread) {
    if (thread->known_fence_version == thread->version())
      return;
    Lock();
    for (u32 i = marks_.size(); i-- > 0 && Number(i) > thread->known_fence;) {
      const bool others_forgotten = i == 0 && Number(i) > thread->known_fence + 1;
      if (others_forgotten || marks_[i].epoch <= thread->clock().Get(marks_[i].slot)) {
        Know(thread, i);
        break;
      }
    }
    thread->known_fence_version = thread->version();
    Unlock();
  }

  void StartAnew() {
    Lock();
    past_ = Clock();
    marks_.Clear();
    pasts_.Clear();
    __atomic_store_n(&executed_, 0, __ATOMIC_RELEASE);
    Unlock();
  }

private:
  struct Mark {
    u32 slot, epoch;
  };

  u32 Number(u32 i) const { return executed_ - marks_.size() + i + 1; } // the first fence has 1

  void Know(Thread *thread, u32 i) {
    thread->has_sc_fence = true;
    thread->sc_fences = pasts_[i];
    thread->known_fence = Number(i);
    thread->known_fence_version = thread->version();
  }

  void Lock() {
    while (Policy::kConcurrent && __atomic_exchange_n(&locked_, true, __ATOMIC_ACQUIRE)) {
    }
  }
  void Unlock() {
    if (Policy::kConcurrent)
      __atomic_store_n(&locked_, false, __ATOMIC_RELEASE);
  }

  u32 executed_ = 0;
  bool locked_ = false;
  Clock past_{};
  Queue<Mark, Policy> marks_;  // of the last fences
  Queue<Clock, Policy> pasts_; // past() after each of them
};

} // namespace __heddle

#endif // HEDDLE_MODEL_BUFFER_SEQ_CST_H
