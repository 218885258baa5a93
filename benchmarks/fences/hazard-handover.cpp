// Hazard pointers where one thread replaces nodes and another deletes them, as with a background
// thread for reclamation. The writer tells the reclaimer how many nodes are old, by a relaxed store
// behind a release fence. Readers are those of hazard-fences.cpp. The reclaimer has the one seq_cst
// fence on this side, between its load of that number and its loads of the hazards.
//
// This is correct in C++20, and was not in C++11: there the fence helped only stores that are
// sequenced before it, and the writer's are in another thread.
//
// The bug: the reclaimer's fence is acq_rel.
//
//   reader:    hazard = node 0; fence; current is still node 0 (stale): uses node 0
//   writer:    current = node 1; old = 1
//   reclaimer: reads old == 1; fence; hazard is null: deletes node 0
//
// which is a heap-use-after-free, or a data race with the delete.
//
// Correct: the writer's release fence synchronises with the reclaimer's fence Y, as the reclaimer
// has read the number before Y. So the store U of a newer node happens before Y. Let a reader use
// the old node, published with H before fence X, and found current with the load R behind X, and
// let L be the reclaimer's load of its hazard. R reads a value older than U, so R => U. If L missed
// H, L => H, then 4.4 would put Y before X; and it puts X before Y, because of R => U. So L reads
// H, and the node is kept, or a later store to the hazard. Those are release stores behind the use,
// and L acquires: the use happens before the delete. The writer's stores of nodes do, by its fence.

#include "twin.h"

#include <atomic>

namespace {

#ifdef BUG
constexpr auto kReclaimerFence = std::memory_order_acq_rel;
#else
constexpr auto kReclaimerFence = std::memory_order_seq_cst;
#endif

constexpr int kNodes = 3, kReads = 2;

struct Node {
  int version;
};

class Cell {
public:
  Cell() {
    for (int i = 0; i < kNodes; i++)
      nodes_[i] = new Node{i};
    current_.store(nodes_[0], std::memory_order_relaxed);
  }
  ~Cell() {
    for (int i = 0; i < kNodes; i++)
      if (!deleted_[i])
        delete nodes_[i];
  }

  void Read() {
    int newest = 0;
    for (int i = 0; i < kReads; i++) {
      const int version = Protect()->version;
      twin::Expect(version >= newest, "versions only grow");
      newest = version;
      hazard_.store(nullptr, std::memory_order_release);
    }
  }

  void Write() {
    for (int i = 1; i < kNodes; i++) {
      current_.store(nodes_[i], std::memory_order_release);
      std::atomic_thread_fence(std::memory_order_release);
      old_.store(i, std::memory_order_relaxed);
    }
  }

  void Reclaim() {
    for (int known = 0; known < kNodes - 1;) {
      const int old = old_.load(std::memory_order_relaxed);
      if (old == known) {
        std::this_thread::yield();
        continue;
      }
      known = old;
      std::atomic_thread_fence(kReclaimerFence);
      for (int i = 0; i < old; i++)
        if (!deleted_[i] && hazard_.load(std::memory_order_acquire) != nodes_[i]) {
          delete nodes_[i];
          deleted_[i] = true;
        }
    }
  }

private:
  // The loop ends: there are not many nodes, and a load never reads an older one than the last did.
  Node *Protect() {
    Node *node = current_.load(std::memory_order_relaxed);
    while (true) {
      hazard_.store(node, std::memory_order_release);
      std::atomic_thread_fence(std::memory_order_seq_cst);
      Node *again = current_.load(std::memory_order_acquire);
      if (again == node)
        return node;
      node = again;
    }
  }

  Node *nodes_[kNodes];
  bool deleted_[kNodes] = {}; // the reclaimer's
  std::atomic<Node *> current_;
  std::atomic<int> old_{0}; // nodes_[0] to nodes_[old_ - 1] are not current any more
  std::atomic<Node *> hazard_{nullptr};
};

void Execute() {
  Cell cell;
  twin::RunTogether([&] { cell.Write(); }, [&] { cell.Reclaim(); }, [&] { cell.Read(); });
}

} // namespace

int main(int argc, char **argv) { return twin::Main(argc, argv, Execute); }
