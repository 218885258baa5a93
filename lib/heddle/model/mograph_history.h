//===-- mograph_history.h - What is remembered of a location --------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stores to a location and the accesses of each thread to them, as far as
// they can still matter (see mograph_prune.h). Data for the mograph engine; most
// locations have a store or two and a writer or two, so those come cheap.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_MODEL_MOGRAPH_HISTORY_H
#define HEDDLE_MODEL_MOGRAPH_HISTORY_H

#include "heddle/model/modification_order.h"

namespace __heddle {

template <class Policy> struct MographHistory {
  using Node = typename ModificationOrder<Policy>::Node;

  static constexpr u32 kInitialSlot = ~0u; // the thread that stored the initial value
  static constexpr u32 kNobody = ~0u - 1;
  static constexpr u32 kNever = ~0u;

  // A load or store by a thread, and the store that it read or wrote.
  struct Access {
    u32 epoch;
    Node *node;
  };
  // A store that was pruned, and what is left of its block.
  struct Floor {
    u32 epoch;
    u64 time;
    Node *node;
  };

  // What a thread has done to a location.
  struct Writer {
    // Its loads and stores, but of those in a row that concern the same store
    // the first, of those of one epoch the last, and none that base stands for.
    Queue<Access, Policy, 2> accesses;
    Queue<Node *, Policy, 2> stores;
    u64 version = 0;           // of the thread, when it came to the last of them
    Floor floor{}, sc_floor{}; // its last store, and seq_cst store, that were pruned
    Writer *next_free = nullptr;
  };

  // With what decides whether to look at it at all. When nothing of a writer can
  // matter any more its place goes to another thread, whose ordinals go on from
  // there: no store is left that could be taken for one of its own. So do those of
  // a place that was given up and is taken again (`last_ordinal` of the history).
  struct WriterRef {
    u32 slot = kNobody;
    u32 first_ordinal, last_ordinal; // of its stores
    u32 first_epoch = kNever;        // of its accesses
    u32 last_epoch = 0;
    Node *last = nullptr;
    u64 version = 0; // of the thread, when it came to the last of them
    Writer *writer = nullptr;

    explicit WriterRef(u32 ordinal) : first_ordinal(ordinal + 1), last_ordinal(ordinal) {}

    Writer *operator->() const { return writer; }
    Writer &operator*() const { return *writer; }
    u32 stores() const { return last_ordinal + 1 - first_ordinal; }
    Node *Store(u32 ordinal) const { return writer->stores[ordinal - first_ordinal]; }
    // The ordinal of the first of the stores with an ordinal above `cut`.
    u32 FirstAbove(u32 cut) const { return cut < first_ordinal ? first_ordinal : cut + 1; }
    u32 CountAbove(u32 cut) const {
      return cut >= last_ordinal ? 0 : last_ordinal + 1 - FirstAbove(cut);
    }
    // Follows a change of the writer's accesses.
    void Update() {
      first_epoch = kNever;
      if (writer->accesses.empty())
        return;
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

  static u32 EpochOf(const Access &access) { return access.epoch; }
  static u32 EpochOf(const Node *node) { return node->epoch; }
  static Floor FloorOf(Node *node) { return {node->epoch, node->time, node}; }

  // How many of the elements, which are in the order of their epochs, are of an
  // epoch up to `bound`.
  template <class Queue> static u32 UpTo(const Queue &queue, u32 bound) {
    u32 low = 0, high = queue.size();
    if (!high || EpochOf(queue[high - 1]) <= bound)
      return high;
    while (low < high) {
      u32 middle = (low + high) / 2;
      if (EpochOf(queue[middle]) <= bound)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  static constexpr u32 kBase = 3;

  // Stores that whatever comes next comes after, or concerns.
  Node *base[kBase] = {};
  u32 base_size = 0;
  u32 until_prune = 0;                 // accesses
  u32 last_slot = kNobody;             // of the last access, if since pruning there was one
  u32 last_epoch = 0;                  // of the last access
  Node *newest = nullptr;              // in the order of execution
  Queue<WriterRef, Policy, 2> writers; // a thread's place is its number at the location
  Node *last_sc = nullptr;             // the last seq_cst store
  Node *sc_floor = nullptr;            // what is left of its block, if it was pruned
  u32 store_count = 0;
  u32 last_ordinal = 0; // of writers whose places were given up
  u64 serial = 0;       // stores so far
};

} // namespace __heddle

#endif // HEDDLE_MODEL_MOGRAPH_HISTORY_H
