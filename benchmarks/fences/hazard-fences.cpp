// Hazard pointers with fences: M. M. Michael, "Hazard Pointers: Safe Memory Reclamation for
// Lock-Free Objects", IEEE TPDS 15(6), 2004. A reader publishes which node it is about to use,
// fences, and reads again whether the node is still current. The writer replaces the node, fences,
// and deletes old nodes that no reader has published.
//
// The bug: the reader's fence is acq_rel. It does not keep the store of the hazard before the load
// of the current node.
//
//   reader: hazard = node 0; fence; current is still node 0 (stale): uses node 0
//   writer: current = node 1; fence; hazard is null: deletes node 0
//
// The use is a heap-use-after-free, or a data race with the delete.
//
// Correct: let a reader use a node that it published with H, before fence X, and found current with
// the load R behind it. Let the writer delete the node after its store U of a newer one, a fence Y
// behind U, and the load L of this hazard behind Y. R reads a value older than U, so R => U; by the
// lemma of twin.h L does not miss H. It did not read H itself, else the node would be kept. So it
// reads a later store to this hazard, which only the reader makes, after the use, and always with
// release. L acquires: the use happens before the delete. A relaxed store of the next hazard would
// not do, as since C++20 it ends the release sequence of the store of null before it.

#include "twin.h"

#include <atomic>

namespace {

#ifdef BUG
constexpr auto kReaderFence = std::memory_order_acq_rel;
#else
constexpr auto kReaderFence = std::memory_order_seq_cst;
#endif

constexpr int kNodes = 3, kReaders = 2, kReads = 2;

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
    for (Node *node : nodes_)
      delete node;
  }

  void Read(int self) {
    int newest = 0;
    for (int i = 0; i < kReads; i++) {
      const int version = Protect(self)->version;
      twin::Expect(version >= newest, "versions only grow");
      newest = version;
      hazards_[self].store(nullptr, std::memory_order_release);
    }
  }

  void Write() {
    for (int i = 1; i < kNodes; i++) {
      current_.store(nodes_[i], std::memory_order_release);
      std::atomic_thread_fence(std::memory_order_seq_cst);
      for (int old = 0; old < i; old++)
        if (!Published(nodes_[old])) {
          delete nodes_[old];
          nodes_[old] = nullptr;
        }
    }
  }

private:
  // The loop ends: there are not many nodes, and a load never reads an older one than the last did.
  Node *Protect(int self) {
    Node *node = current_.load(std::memory_order_relaxed);
    while (true) {
      hazards_[self].store(node, std::memory_order_release);
      std::atomic_thread_fence(kReaderFence);
      Node *again = current_.load(std::memory_order_acquire);
      if (again == node)
        return node;
      node = again;
    }
  }

  bool Published(const Node *node) {
    for (auto &hazard : hazards_)
      if (hazard.load(std::memory_order_acquire) == node)
        return true;
    return false;
  }

  Node *nodes_[kNodes]; // the writer's; null if deleted
  std::atomic<Node *> current_;
  std::atomic<Node *> hazards_[kReaders] = {};
};

void Execute() {
  Cell cell;
  twin::RunTogether([&] { cell.Write(); }, [&] { cell.Read(0); }, [&] { cell.Read(1); });
}

} // namespace

int main(int argc, char **argv) { return twin::Main(argc, argv, Execute); }
