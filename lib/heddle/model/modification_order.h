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
// at its head is one vertex, a block: everything else is before all of it or
// after all of it, and edges are between blocks.
//
// A block is known by its head, the store that is not an RMW, which stays for as
// long as anything is left of the block, be it read or not.
//
// Reachability is a comparison of numbers: a block knows, for each thread, the
// last store that is before the block (`before`), and an RMW those of its chain
// up to itself (`chain`). Adding an edge passes `before` on to all that follow.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_MODEL_MODIFICATION_ORDER_H
#define HEDDLE_MODEL_MODIFICATION_ORDER_H

#include "heddle/model/clock.h"
#include "heddle/model/ordinals.h"
#include "heddle/model/queue.h"

namespace __heddle {

template <class Policy> class ModificationOrder {
public:
  using Value = typename Policy::Value;

  // A store. What most operations need of most stores comes first, so that it is
  // in one cache line.
  struct alignas(64) Node {
    Node *head; // of its block; itself, if it is not an RMW
    union {
      Node *next; // the RMW that read it
      Node *next_free;
    };
    u32 thread;   // the number at this location of the thread that stored it
    u32 ordinal;  // among the thread's stores to this location
    u32 epoch;    // of the thread
    bool sc;      // seq_cst
    bool removed; // pruned
    // Of a head: all that is before the block. Of an RMW: the stores of the block
    // up to itself.
    Ordinals<Policy> past;

    Value value;
    Released<Policy> released;

    u64 time;   // among all operations
    u64 serial; // among the stores to this location
    u32 slot;   // of the thread that stored it
    // Of a head: the block, and the heads of those that are after it.
    Node *first, *last;
    Queue<Node *, Policy> after;
  };

  // Whether `a` is before `b` in every modification order that is possible.
  static bool Before(const Node *a, const Node *b) {
    if (a->head == b->head)
      return a != b && b->head != b && b->past.Get(a->thread) >= a->ordinal;
    return b->head->past.Get(a->thread) >= a->ordinal;
  }

  // All that is before `node`, and the node.
  static void JoinPast(const Node *node, Ordinals<Policy> *into) {
    into->Join(node->head->past);
    JoinChain(node, into);
  }

  // A new store, in a block of its own: not ordered with any other yet.
  static void AddStore(Node *node) {
    node->head = node->first = node->last = node;
    node->next = nullptr;
    node->past.Clear();
    node->after.Clear();
  }

  // An RMW, immediately after the store it read, which none has read before.
  void AddRmw(Node *read, Node *node) {
    node->head = read->head;
    node->next = nullptr;
    node->past.Clear();
    JoinChain(read, &node->past);
    node->past.Raise(node->thread, node->ordinal);
    read->next = node;
    node->head->last = node;
    PassOn(node->head);
  }

  // `a` is before `b`. It must not be after it.
  void Order(const Node *a, Node *b) {
    Node *from = a->head, *to = b->head;
    if (from == to || to->past.Get(from->first->thread) >= from->first->ordinal)
      return; // known already
    from->after.PushBack(to);
    if (JoinPastInto(from, to))
      PassOn(to);
  }

  // Takes the nodes that are marked as removed out of the block. They are its
  // beginning, and all that is before them must be marked as well. Returns
  // whether this left the block empty: its head can be freed then, once.
  static bool Trim(Node *head) {
    if (!head->first)
      return false; // trimmed before
    while (head->first && head->first->removed)
      head->first = head->first->next;
    return !head->first;
  }

  // What stands for a node from now on: itself, or what is left of its block,
  // which is after it, and after which everything else is that is after it. None
  // if nothing is left.
  static Node *Survivor(Node *node) { return !node || !node->removed ? node : node->head->first; }

private:
  static bool JoinChain(const Node *node, Ordinals<Policy> *into) {
    return node->head != node ? into->Join(node->past) : into->Raise(node->thread, node->ordinal);
  }

  // All of the block `from`, and what is before it, is before `to`.
  static bool JoinPastInto(const Node *from, Node *to) {
    bool changed = to->past.Join(from->past);
    changed |= JoinChain(from->last, &to->past);
    return changed;
  }

  // The past of a block has grown: so has that of all after it.
  void PassOn(Node *head) {
    work_.PushBack(head);
    while (!work_.empty()) {
      Node *from = work_.Back();
      work_.PopBack();
      for (u32 i = 0; i < from->after.size(); i++) {
        Node *to = from->after[i];
        if (JoinPastInto(from, to))
          work_.PushBack(to);
      }
    }
  }

  Queue<Node *, Policy> work_;
};

} // namespace __heddle

#endif // HEDDLE_MODEL_MODIFICATION_ORDER_H
