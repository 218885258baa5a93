//===-- modification_order.h - Modification order as constraints ----------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stores to one location, and what is known of their modification order: the
// mo-graph of the C11Tester paper (section 4, figures 4 and 5). A store is a
// node. There is a cycle exactly if the constraints cannot be met, and since the
// engine asks before it adds an edge, there never is one, and nothing is ever
// taken back.
//
// A read-modify-write comes immediately after the store it reads. The paper has
// rmw edges for it, moves the store's edges to the RMW, and follows rmw edges
// when it adds one. That is not enough: with A -rmw-> B and C -> B in the graph,
// reading from C with A in its prior set passes the test (C does not reach A),
// and the edge, moved to B, closes a cycle. Here a chain of RMWs with the store
// at its head is one vertex, a Block: everything else is before all of it or
// after all of it, and edges are between blocks.
//
// Reachability is a comparison of numbers: a block knows, for each thread, the
// last store that is before the block (`before`), and a node those of its chain
// up to itself (`chain`). Adding an edge passes `before` on to all that follow.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_MODEL_MODIFICATION_ORDER_H
#define HEDDLE_MODEL_MODIFICATION_ORDER_H

#include "heddle/model/clock.h"
#include "heddle/model/ordinals.h"
#include "heddle/model/placed.h"
#include "heddle/model/queue.h"

namespace __heddle {

template <class Policy> class ModificationOrder {
public:
  using Value = typename Policy::Value;
  struct Block;

  // A store. Plain data.
  struct Node {
    Value value;
    u32 slot, epoch; // who stored it, and when
    u32 thread;      // the thread's number at this location
    u32 ordinal;     // among the thread's stores to this location
    u64 time;        // among all operations
    u64 serial;      // among the stores to this location
    bool sc;
    bool removed;
    Released<Policy> released;
    Block *block;
    Node *next; // the RMW that read it
    // The stores of the block up to an RMW. For a store at the head of its
    // block, that is itself; it has none.
    Ordinals<Policy> chain;
    bool rmw;
  };

  // A store and the RMWs after it.
  struct Block {
    Node *first, *last;
    Ordinals<Policy> before;
    Queue<Block *, Policy> after;
    Block *next_free;
  };

  // Whether `a` is before `b` in every modification order that is possible.
  static bool Before(const Node *a, const Node *b) {
    if (a->block == b->block)
      return a != b && b->rmw && b->chain.Get(a->thread) >= a->ordinal;
    return b->block->before.Get(a->thread) >= a->ordinal;
  }

  // All that is before `node`, and the node.
  static void JoinPast(const Node *node, Ordinals<Policy> *into) {
    into->Join(node->block->before);
    JoinChain(node, into);
  }

  ModificationOrder() = default;
  ~ModificationOrder() {
    while (Block *block = free_blocks_) {
      free_blocks_ = block->next_free;
      block->before.Free();
      block->~Block();
      Policy::Free(block);
    }
  }
  ModificationOrder(const ModificationOrder &) = delete;
  ModificationOrder &operator=(const ModificationOrder &) = delete;

  // A new store, in a block of its own: not ordered with any other yet.
  void AddStore(Node *node) {
    Block *block = free_blocks_;
    if (block)
      free_blocks_ = block->next_free;
    else
      block = new (Placed{Policy::Allocate(sizeof(Block))}) Block();
    block->first = block->last = node;
    node->block = block;
    node->next = nullptr;
    node->rmw = false;
  }

  // An RMW, immediately after the store it read, which none has read before.
  void AddRmw(Node *read, Node *node) {
    Block *block = read->block;
    node->block = block;
    node->next = nullptr;
    node->rmw = true;
    JoinChain(read, &node->chain);
    node->chain.Raise(node->thread, node->ordinal);
    read->next = node;
    block->last = node;
    PassOn(block);
  }

  // `a` is before `b`. It must not be after it.
  void Order(const Node *a, Node *b) {
    Block *from = a->block, *to = b->block;
    if (from == to || to->before.Get(from->first->thread) >= from->first->ordinal)
      return; // known already
    from->after.PushBack(to);
    if (JoinPastInto(from, to))
      PassOn(to);
  }

  // Takes the nodes that are marked as removed out of their block. They are its
  // beginning, and all that is before them must be marked as well. Returns
  // whether this left the block empty: it must be freed then, once.
  static bool Trim(Block *block) {
    if (!block->first)
      return false; // trimmed before
    while (block->first && block->first->removed)
      block->first = block->first->next;
    return !block->first;
  }

  // What stands for a node from now on: itself, or what is left of its block,
  // which is after it, and after which everything else is that is after it. None
  // if nothing is left.
  static Node *Survivor(Node *node) { return !node || !node->removed ? node : node->block->first; }

  // Kept for the next store, with the memory it has.
  void FreeBlock(Block *block) {
    block->before.Clear();
    block->after.Clear();
    block->next_free = free_blocks_;
    free_blocks_ = block;
  }

private:
  static bool JoinChain(const Node *node, Ordinals<Policy> *into) {
    return node->rmw ? into->Join(node->chain) : into->Raise(node->thread, node->ordinal);
  }

  // All of `from`, and what is before it, is before `to`.
  static bool JoinPastInto(const Block *from, Block *to) {
    bool changed = to->before.Join(from->before);
    changed |= JoinChain(from->last, &to->before);
    return changed;
  }

  // The past of `block` has grown: so has that of all after it.
  void PassOn(Block *block) {
    work_.PushBack(block);
    while (!work_.empty()) {
      Block *from = work_.Back();
      work_.PopBack();
      for (u32 i = 0; i < from->after.size(); i++) {
        Block *to = from->after[i];
        if (JoinPastInto(from, to))
          work_.PushBack(to);
      }
    }
  }

  Queue<Block *, Policy> work_;
  Block *free_blocks_ = nullptr;
};

} // namespace __heddle

#endif // HEDDLE_MODEL_MODIFICATION_ORDER_H
