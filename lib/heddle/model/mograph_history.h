//===-- mograph_history.h - What is remembered of a location --------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stores to a location in modification order, and the accesses of each thread to
// them, as far as they can still matter (see mograph_prune.h). Data for the mograph
// engine; most locations have a store or two, so those come cheap.
//
// Every operation comes after the first of the stores that are remembered, or reads
// it. So accesses to that one are not.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_MODEL_MOGRAPH_HISTORY_H
#define HEDDLE_MODEL_MOGRAPH_HISTORY_H

#include "heddle/model/clock.h"
#include "heddle/model/ordinals.h"
#include "heddle/model/queue.h"

namespace __heddle {

template <class Policy> struct MographHistory {
  using Value = typename Policy::Value;

  // The seq_cst operations that are sources of accesses to a location, see SeqCstGraph.
  struct Sources {
    Ordinals<Policy> before; // of all that is coherence-ordered before whoever reads the store
    Ordinals<Policy> loads;  // of the loads of the store, which are before what follows it
    Sources *next_free;
  };

  struct Node {
    Value value;
    Released<Policy> released;
    union {
      Sources *sources; // none, in programs without seq_cst
      Node *next_free;
    };
    u64 serial;   // among all stores
    u32 position; // in modification order, without gaps
    u32 slot;     // of the thread that stored it
    u32 epoch;    // of the thread; 0 for the initial value, which is before everything
    bool sc;      // seq_cst
    bool rmw;     // reads the store before it, and comes immediately after it
  };

  // A load or store by a thread, and the store that it read or wrote.
  struct Access {
    u32 epoch;
    Node *node;
  };
  struct SeqCstAccess {
    u32 ordinal; // in SeqCstGraph
    Node *node;
  };

  // What a thread has done to a location.
  struct Writer {
    // Its loads and stores, but of those in a row that concern the same store the
    // first, and of those of one epoch the last.
    Queue<Access, Policy, 2> accesses;
    Queue<SeqCstAccess, Policy> seq_cst; // likewise, of all epochs
    Writer *next_free;
  };

  // With what decides whether to look at it at all.
  struct WriterRef {
    u32 slot;
    u32 first_epoch, last_epoch; // of its accesses
    Node *last;                  // the store that the last of them concerns
    u64 version;                 // of the thread, when it came to that
    Writer *writer;

    Writer *operator->() const { return writer; }
    // Follows a change of the writer's accesses, of which there are some.
    void Update() {
      first_epoch = writer->accesses[0].epoch;
      last_epoch = writer->accesses.Back().epoch;
      last = writer->accesses.Back().node;
    }
  };

  // The place of the thread in `slot`, or where there is none.
  u32 Find(u32 slot) const {
    u32 w = 0;
    while (w < writers.size() && writers[w].slot != slot)
      w++;
    return w;
  }

  u32 First() const { return stores[0]->position; }
  u32 Last() const { return stores.Back()->position; }
  Node *At(u32 position) const { return stores[position - First()]; }

  // Of accesses in the order of their epochs or ordinals, and so of the positions: how
  // many are up to a bound, and how many concern stores up to a position.
  template <class Queue> static u32 UpTo(const Queue &queue, u32 bound) {
    return CountWhile(queue, [&](const auto &access) { return NumberOf(access) <= bound; });
  }
  template <class Queue> static u32 UpToPosition(const Queue &queue, u32 position) {
    return CountWhile(queue, [&](const auto &access) { return access.node->position <= position; });
  }

  // Drops what concerns stores up to the position; the store there stands for it.
  // Whether anything is left.
  static bool DropUpTo(WriterRef *ref, u32 position) {
    Writer *writer = ref->writer;
    writer->accesses.PopFront(UpToPosition(writer->accesses, position));
    writer->seq_cst.PopFront(UpToPosition(writer->seq_cst, position));
    if (writer->accesses.empty())
      return false;
    ref->Update();
    return true;
  }

  u32 until_prune = 0;                 // accesses
  u32 last_slot = 0;                   // of the last access
  u32 last_epoch = 0;                  // likewise; 0: known to all threads
  Queue<Node *, Policy, 2> stores;     // in modification order
  Queue<WriterRef, Policy, 2> writers; // with accesses
  Node *last_sc = nullptr;             // the last seq_cst store; C++11's rules only

private:
  static u32 NumberOf(const Access &access) { return access.epoch; }
  static u32 NumberOf(const SeqCstAccess &access) { return access.ordinal; }

  template <class Queue, class Test> static u32 CountWhile(const Queue &queue, Test test) {
    u32 low = 0, high = queue.size();
    if (!high || test(queue[high - 1]))
      return high;
    while (low < high) {
      u32 middle = (low + high) / 2;
      if (test(queue[middle]))
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
};

} // namespace __heddle

#endif // HEDDLE_MODEL_MOGRAPH_HISTORY_H
