// Read-copy-update in user space: M. Desnoyers, P. E. McKenney, A. S. Stern, M. R. Dagenais, J.
// Walpole, "User-Level Implementations of Read-Copy Update", IEEE TPDS 23(2), 2012, the flavour
// with fences on both sides. A reader stores the number of the grace period to its counter when it
// enters its outermost section, and 0 when it leaves. The writer replaces the node, begins a new
// grace period, waits for readers that entered in an older one, and deletes the old node. Where we
// depart: the number only grows, so that the writer need not wait twice.
//
// The bug: the reader's fence is acq_rel.
//
//   reader: counter = 1; fence; reads node 0 (stale), and uses it
//   writer: current = node 1; fence; period = 2; the counter is 0 (stale, or not yet 1): deletes
//           node 0
//
// which is a heap-use-after-free, or a data race with the delete.
//
// Correct: let U be the writer's store of a newer node, Y its fence behind U, G its store of the
// new period behind Y, and L its last load of a reader's counter: the one that found 0, or a number
// not below the new period. Take any section of the reader, with C the store to the counter, X the
// fence behind it, and R a load of the current node behind X.
//   - L => C: Y happens before L, and C before X, so 4.4 puts Y before X. If R read an older node,
//     R => U, it would put X before Y. So this section does not know the old node.
//   - L reads C: the number is not below the new period, so the reader has read G or a later period
//     before C. G => that load. Y happens before G, and the load before X: Y before X again.
//   - L reads a later store. It is sequenced behind the end of the section, and behind the release
//     fence there. That fence synchronises with the writer's acquire fence after the wait: all uses
//     happen before the delete. (A release store of 0 alone would not do: a store of the next
//     section, which is relaxed, may be the one that is read.)

#include "twin.h"

#include <atomic>

namespace {

#ifdef BUG
constexpr auto kReaderFence = std::memory_order_acq_rel;
#else
constexpr auto kReaderFence = std::memory_order_seq_cst;
#endif

constexpr int kNodes = 3, kReaders = 2;

// A reader's sections; they may be nested.
class Sections {
public:
  Sections(std::atomic<int> &period, std::atomic<int> &counter)
      : period_(period), counter_(counter) {}

  void Enter() {
    if (nesting_++)
      return;
    counter_.store(period_.load(std::memory_order_relaxed), std::memory_order_relaxed);
    std::atomic_thread_fence(kReaderFence);
  }

  void Leave() {
    if (--nesting_)
      return;
    std::atomic_thread_fence(std::memory_order_release);
    counter_.store(0, std::memory_order_relaxed);
  }

private:
  std::atomic<int> &period_, &counter_;
  int nesting_ = 0;
};

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
  ~Cell() { delete nodes_[kNodes - 1]; }

  void Read(int self) {
    Sections sections(period_, counters_[self]);
    sections.Enter();
    const int outer = Version();
    sections.Enter();
    const int inner = Version();
    sections.Leave();
    const int still = Version();
    sections.Leave();
    sections.Enter();
    const int next = Version();
    sections.Leave();
    twin::Expect(outer <= inner && inner <= still && still <= next, "versions only grow");
  }

  void Write() {
    for (int i = 1; i < kNodes; i++) {
      current_.store(nodes_[i], std::memory_order_release);
      Synchronize();
      delete nodes_[i - 1];
    }
  }

private:
  int Version() { return current_.load(std::memory_order_acquire)->version; }

  void Synchronize() {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    const int begun = period_.load(std::memory_order_relaxed) + 1;
    period_.store(begun, std::memory_order_relaxed);
    for (auto &counter : counters_)
      while (true) {
        const int entered = counter.load(std::memory_order_relaxed);
        if (!entered || entered >= begun)
          break;
        std::this_thread::yield();
      }
    std::atomic_thread_fence(std::memory_order_acquire);
  }

  Node *nodes_[kNodes]; // the writer's
  std::atomic<Node *> current_;
  std::atomic<int> period_{1};
  std::atomic<int> counters_[kReaders] = {};
};

void Execute() {
  Cell cell;
  twin::RunTogether([&] { cell.Write(); }, [&] { cell.Read(0); }, [&] { cell.Read(1); });
}

} // namespace

int main(int argc, char **argv) { return twin::Main(argc, argv, Execute); }
