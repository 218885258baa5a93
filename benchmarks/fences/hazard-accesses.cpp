// Hazard pointers without fences, all by seq_cst accesses: R. K. Treiber's stack ("Systems
// Programming: Coping with Parallelism", IBM RJ 5118, 1986) with the reclamation of M. M. Michael,
// "Hazard Pointers", IEEE TPDS 15(6), 2004. Two threads pop. Each publishes the node at the top,
// reads the top again, reads the node's successor, and takes the node with a compare-exchange. It
// deletes what it has taken unless the other has published it.
//
// The bug: the top is read again with acquire. The load is not part of S then, and may be stale
// although the store of the hazard before it is part of S.
//
//   thread 0: hazard 0 = node; the top is still the node (stale): reads the node's successor
//   thread 1: takes the node; hazard 0 is null: deletes the node
//
// which is a heap-use-after-free, or a data race with the delete.
//
// Correct: let thread 0 publish a node with H and find it at the top with the load R. Let thread 1
// take it with the compare-exchange U, and load hazard 0 with L. All four are seq_cst, H is
// sequenced before R and U before L. R reads a value older than U, so R => U, and by 4.1 S has H,
// R, U, L in this order. If L missed H, L => H, 4.1 would put L before H. So L reads H, and the
// node is kept, or a later store to this hazard. That is thread 0's own, sequenced after its last
// use of the node, and a release; L acquires. A node is never pushed again, so that only one
// compare-exchange takes it and none mistakes a later top for it.

#include "twin.h"

#include <atomic>

namespace {

#ifdef BUG
constexpr auto kReadAgain = std::memory_order_acquire;
#else
constexpr auto kReadAgain = std::memory_order_seq_cst;
#endif

constexpr int kNodes = 3, kThreads = 2, kPops = 2;

struct Node {
  int value;
  Node *next;
};

class Stack {
public:
  Stack() {
    Node *top = nullptr;
    for (int i = 0; i < kNodes; i++)
      top = new Node{1 << i, top};
    top_.store(top, std::memory_order_relaxed);
  }

  void PopSome(int self) {
    for (int i = 0; i < kPops; i++)
      if (Node *node = Pop(self))
        Retire(self, node);
  }

  // When the threads have ended.
  void Check() {
    int sum = 0;
    while (Node *node = Pop(0)) {
      sum += node->value;
      delete node;
    }
    for (int self = 0; self < kThreads; self++) {
      sum += popped_[self];
      for (Node *node : kept_[self])
        delete node;
    }
    twin::Expect(sum == (1 << kNodes) - 1, "each node is popped once");
  }

private:
  Node *Pop(int self) {
    while (true) {
      Node *node = top_.load(std::memory_order_relaxed);
      hazards_[self].store(node, std::memory_order_seq_cst);
      if (top_.load(kReadAgain) != node)
        continue;
      if (!node || top_.compare_exchange_strong(node, node->next, std::memory_order_seq_cst,
                                                std::memory_order_relaxed)) {
        hazards_[self].store(nullptr, std::memory_order_release);
        return node;
      }
    }
  }

  void Retire(int self, Node *node) {
    popped_[self] += node->value;
    if (hazards_[1 - self].load(std::memory_order_seq_cst) != node)
      delete node;
    else
      *kept_end_[self]++ = node;
  }

  std::atomic<Node *> top_;
  std::atomic<Node *> hazards_[kThreads] = {};
  // Each thread's own.
  int popped_[kThreads] = {};
  Node *kept_[kThreads][kPops] = {};
  Node **kept_end_[kThreads] = {kept_[0], kept_[1]};
};

void Execute() {
  Stack stack;
  twin::RunTogether([&] { stack.PopSome(0); }, [&] { stack.PopSome(1); });
  stack.Check();
}

} // namespace

int main(int argc, char **argv) { return twin::Main(argc, argv, Execute); }
