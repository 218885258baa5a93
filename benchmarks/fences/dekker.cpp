// Dekker's mutual exclusion of two threads (E. W. Dijkstra, "Cooperating sequential processes",
// 1965, section 2.1) with a seq_cst fence behind each store that raises a flag, and release and
// acquire for the rest. structures/dekker.cpp has fences throughout.
//
// The bug: the fence is acq_rel.
//
//   thread 0: flag 0 = 1; fence; flag 1 is 0 (stale): enters
//   thread 1: flag 1 = 1; fence; flag 0 is 0 (stale, or not yet 1): enters
//
// The counter is a data race.
//
// Correct: take a critical section of each thread, with the last raised flag W0, W1 before it, the
// fence X0, X1 behind, and the load L0, L1 that found the other's flag down. By the lemma of twin.h
// not both loads miss the other's flag. Say L1 does not miss W0. It has read 0, so it reads a later
// store, and between W0 and the end of its section thread 0 does not touch its flag. So L1 reads a
// 0 that thread 0 stored when it left this section, or later. That 0 is a release store if it left,
// and relaxed if it gave way, but then behind the fence of that attempt, which releases too. L1
// acquires: one section happens before the other.
//
// A thread gives way only if it is not its turn, and the other then sees its flag down; the thread
// that leaves hands the turn over.

#include "twin.h"

#include <atomic>

namespace {

#ifdef BUG
constexpr auto kFence = std::memory_order_acq_rel;
#else
constexpr auto kFence = std::memory_order_seq_cst;
#endif

constexpr int kRounds = 2;

class Lock {
public:
  void Acquire(int self) {
    Raise(self);
    while (flags_[1 - self].load(std::memory_order_acquire)) {
      if (turn_.load(std::memory_order_relaxed) == self) {
        std::this_thread::yield();
        continue;
      }
      flags_[self].store(0, std::memory_order_relaxed);
      while (turn_.load(std::memory_order_relaxed) != self)
        std::this_thread::yield();
      Raise(self);
    }
  }

  void Release(int self) {
    turn_.store(1 - self, std::memory_order_relaxed);
    flags_[self].store(0, std::memory_order_release);
  }

private:
  void Raise(int self) {
    flags_[self].store(1, std::memory_order_relaxed);
    std::atomic_thread_fence(kFence);
  }

  std::atomic<int> flags_[2] = {}, turn_{0};
};

void Execute() {
  Lock lock;
  int counter = 0;
  const auto run = [&](int self) {
    for (int i = 0; i < kRounds; i++) {
      lock.Acquire(self);
      counter++;
      lock.Release(self);
    }
  };
  twin::RunTogether([&] { run(0); }, [&] { run(1); });
  twin::Expect(counter == 2 * kRounds, "no increment is lost");
}

} // namespace

int main(int argc, char **argv) { return twin::Main(argc, argv, Execute); }
