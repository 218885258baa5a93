//===-- enabled_set.h - The threads that can run --------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In an order that depends on nothing but the program's past: the thread that has
// just run comes first, if it can go on, and the others follow in the order of
// their creation. So the answer 0 always means to go on without a switch.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_SCHEDULE_ENABLED_SET_H
#define HEDDLE_SCHEDULE_ENABLED_SET_H

#include "heddle/choice/growable.h"
#include "heddle/schedule/operation.h"

namespace __heddle {

template <class Memory> class EnabledSet {
public:
  u32 Count() const { return u32(threads_.Size()); }
  bool Empty() const { return threads_.Empty(); }

  // The thread that has just run, or kNoThread if it cannot go on.
  ThreadId Current() const { return current_; }
  void SetCurrent(ThreadId thread) {
    u32 at = LowerBound(thread);
    bool enabled = at < Count() && threads_[at] == thread;
    current_ = enabled ? thread : kNoThread;
    current_at_ = enabled ? at : 0;
  }

  ThreadId operator[](u32 index) const {
    if (current_ == kNoThread)
      return threads_[index];
    if (index == 0)
      return current_;
    return threads_[index - 1 < current_at_ ? index - 1 : index];
  }
  // The index of a member.
  u32 IndexOf(ThreadId thread) const {
    u32 at = LowerBound(thread);
    Require(at < Count() && threads_[at] == thread);
    if (current_ == kNoThread)
      return at;
    return thread == current_ ? 0 : at < current_at_ ? at + 1 : at;
  }
  bool Contains(ThreadId thread) const {
    u32 at = LowerBound(thread);
    return at < Count() && threads_[at] == thread;
  }

  void Add(ThreadId thread) {
    u32 at = LowerBound(thread);
    Require(at == Count() || threads_[at] != thread);
    threads_.Push(thread);
    for (u32 i = Count() - 1; i > at; i--)
      threads_[i] = threads_[i - 1];
    threads_[at] = thread;
    SetCurrent(current_);
  }
  void Remove(ThreadId thread) {
    u32 at = LowerBound(thread);
    Require(at < Count() && threads_[at] == thread);
    for (u32 i = at; i + 1 < Count(); i++)
      threads_[i] = threads_[i + 1];
    threads_.Pop();
    SetCurrent(current_);
  }

private:
  u32 LowerBound(ThreadId thread) const {
    u32 low = 0, high = Count();
    while (low < high) {
      u32 middle = (low + high) / 2;
      if (threads_[middle] < thread)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  Growable<ThreadId, Memory> threads_; // in the order of creation
  ThreadId current_ = kNoThread;
  u32 current_at_ = 0;
};

} // namespace __heddle

#endif // HEDDLE_SCHEDULE_ENABLED_SET_H
