//===-- holders.h - Who holds which lock ----------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For reports of deadlocks, and to notice a cycle of threads that wait for each
// other while others go on.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_SCHEDULE_HOLDERS_H
#define HEDDLE_SCHEDULE_HOLDERS_H

#include "heddle/choice/growable.h"
#include "heddle/schedule/operation.h"

namespace __heddle {

// A hash table with linear probing. An object that several threads hold, as the
// readers of a lock do, has an entry for each of them.
template <class Memory> class Holders {
public:
  // Of those who hold it, the one that was created first; or kNoThread.
  ThreadId Of(uptr object) const {
    ThreadId first = kNoThread;
    for (uptr at = Home(object); Used(at); at = Step(at))
      if (table_[at].object == object && table_[at].thread < first)
        first = table_[at].thread;
    return first;
  }
  bool IsOf(uptr object, ThreadId thread) const { return Used(Find(object, thread)); }
  // Once more, if it holds it already.
  void Add(uptr object, ThreadId thread) {
    if (2 * (used_ + 1) > table_.Size())
      Grow();
    uptr at = Find(object, thread);
    if (!Used(at)) {
      used_++;
      table_[at] = {object, thread, 0};
    }
    table_[at].times++;
  }
  // Once less. A lock may be given back by another than who took it: then nobody
  // holds it.
  void Drop(uptr object, ThreadId thread) {
    uptr at = Find(object, thread);
    if (!Used(at))
      DropAll(object);
    else if (--table_[at].times == 0)
      Remove(at);
  }
  // Nobody holds any object for which that is so.
  template <class Which> void DropIf(Which which) {
    for (uptr at = 0; at < table_.Size();) {
      if (table_[at].object && which(table_[at].object)) {
        Remove(at); // and what comes next may be here now
      } else {
        at++;
      }
    }
  }

private:
  struct Entry {
    uptr object = 0; // 0: none
    ThreadId thread = kNoThread;
    u32 times = 0;
  };

  uptr Mask() const { return table_.Size() - 1; }
  uptr Step(uptr at) const { return (at + 1) & Mask(); }
  uptr Home(uptr object) const { return (object * 0x9e3779b97f4a7c15 >> 20) & Mask(); }
  bool Used(uptr at) const { return !table_.Empty() && table_[at].object; }
  // Where the entry is, or would be.
  uptr Find(uptr object, ThreadId thread) const {
    uptr at = Home(object);
    while (Used(at) && (table_[at].object != object || table_[at].thread != thread))
      at = Step(at);
    return at;
  }
  void DropAll(uptr object) {
    for (uptr at = Home(object); Used(at);) {
      if (table_[at].object == object)
        Remove(at); // and what comes next may be here now
      else
        at = Step(at);
    }
  }
  void Remove(uptr at) {
    used_--;
    // Moves back what would not be found over the gap.
    for (uptr next = Step(at); Used(next); next = Step(next)) {
      uptr home = Home(table_[next].object);
      if (((next - home) & Mask()) >= ((next - at) & Mask())) {
        table_[at] = table_[next];
        at = next;
      }
    }
    table_[at] = {};
  }
  void Grow() {
    Growable<Entry, Memory> old;
    old.Swap(table_);
    uptr size = old.Empty() ? 64 : 2 * old.Size();
    for (uptr i = 0; i < size; i++)
      table_.Push({});
    for (uptr i = 0; i < old.Size(); i++)
      if (old[i].object)
        table_[Find(old[i].object, old[i].thread)] = old[i];
  }

  Growable<Entry, Memory> table_; // a power of two
  uptr used_ = 0;
};

} // namespace __heddle

#endif // HEDDLE_SCHEDULE_HOLDERS_H
