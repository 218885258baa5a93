//===-- seq_cst_view.h - What a thread knows of the order S ---------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The seq_cst operations that are before the next operation of a thread in S, as
// far as its happens-before decides that. Kept by SeqCstGraph, for the thread.
//
// There are two of each, since C++20 asks different things of different
// operations: a seq_cst fence counts for all that it happens before, whereas a
// seq_cst operation as such precedes another only if it strongly happens before it.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_MODEL_SEQ_CST_VIEW_H
#define HEDDLE_MODEL_SEQ_CST_VIEW_H

#include "heddle/model/ordinals.h"
#include "heddle/model/queue.h"

namespace __heddle {

template <class Policy> struct SeqCstView {
  // Some seq_cst operations, and what is before them.
  struct Past {
    Ordinals<Policy> last;          // of each chain, the last of the operations
    Ordinals<Policy> all;           // and the last of those that are before them in S
    Ordinals<Policy> fences;        // of each chain, how many of its fences `clock` has
    Ordinals<Policy> joined;        // of each chain, how much of `all` that was looked through for
    typename Policy::Clock clock{}; // what happens before any fence among `all`

    // When this was brought up to date last:
    u64 version = 0;         // of the thread
    u64 changes = 0;         // of the graph
    Ordinals<Policy> seen;   // of its chains
    Ordinals<Policy> bounds; // the epochs that the thread had synchronised with, by chain

    void Clear() {
      last.Clear();
      all.Clear();
      fences.Clear();
      joined.Clear();
      clock = typename Policy::Clock();
      version = changes = 0;
      seen.Clear();
      bounds.Clear();
    }
  };

  Past fences; // the fences that happen before what the thread does next
  Past strong; // the operations that strongly happen before it
  bool has_fences = false;

  // The members of strong.last since the thread's last seq_cst operation.
  struct Edge {
    u32 chain, ordinal;
  };
  Queue<Edge, Policy> fresh;
  Edge own = {}; // the thread's last seq_cst operation

  // If its last seq_cst operation was a load: the store that it read, the operation, and
  // the thread's version.
  u64 last_load = 0;
  u32 last_ordinal = 0;
  u64 last_version = 0;

  void Clear() {
    fences.Clear();
    strong.Clear();
    has_fences = false;
    fresh.Clear();
    own = {};
    last_load = 0;
  }
};

} // namespace __heddle

#endif // HEDDLE_MODEL_SEQ_CST_VIEW_H
