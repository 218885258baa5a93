//===-- prior_set.h - What an operation must come after -------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A set of stores to one location, none of them before another, as in figure 11
// of the C11Tester paper: an operation comes after each of them, or concerns one
// of them itself.
//
// Which stores are before a member is not tried out one by one: for each thread
// it is a single number, its last store that is (`cut`).
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_MODEL_PRIOR_SET_H
#define HEDDLE_MODEL_PRIOR_SET_H

#include "heddle/model/modification_order.h"

namespace __heddle {

template <class Policy> class PriorSet {
public:
  using ModOrder = ModificationOrder<Policy>;
  using Node = typename ModOrder::Node;

  u32 size() const { return nodes_.size(); }
  Node *operator[](u32 i) const { return nodes_[i]; }
  void Clear() { nodes_.Clear(); }

  // What is before a member need not be one: its constraints follow.
  void Add(Node *node) {
    u32 kept = 0;
    for (u32 i = 0; i < nodes_.size(); i++) {
      Node *other = nodes_[i];
      if (other == node || ModOrder::Before(node, other))
        return; // then none has been dropped: `node` is after no other
      if (!ModOrder::Before(other, node))
        nodes_[kept++] = other;
    }
    nodes_.Truncate(kept);
    nodes_.PushBack(node);
  }

  // To be called when the set is complete.
  void MakeCut() {
    cut_.Clear();
    for (u32 i = 0; i < nodes_.size(); i++)
      ModOrder::JoinPast(nodes_[i], &cut_);
  }
  // A thread's stores of a larger ordinal are before no member. All others are,
  // but for the members themselves.
  u32 Cut(u32 thread) const { return cut_.Get(thread); }

private:
  Queue<Node *, Policy> nodes_;
  Ordinals<Policy> cut_;
};

} // namespace __heddle

#endif // HEDDLE_MODEL_PRIOR_SET_H
