// Mutual exclusion of two threads: G. L. Peterson, "Myths about the mutual exclusion problem",
// Information Processing Letters 12(3), 1981. A thread raises its flag, gives the turn to the
// other, and waits while the other's flag is up and it is the other's turn. In C++ there must be a
// seq_cst fence behind each of the two stores.
//
// The bug: the first fence, between the flag and the turn, is acq_rel. The second one alone orders
// the stores before the loads, but not the two threads' stores to the turn with the flags:
//
//   thread 1: flag 1 = 1; turn = 0
//   thread 0: flag 0 = 1; turn = 1; fence; flag 1 is 0 (stale): enters
//   thread 1: fence; flag 0 is 1, but the turn is 1: enters
//
// The second fence of thread 0 may precede that of thread 1 in S, as nothing but the stale load
// relates them. The counter is a data race.
//
// Correct: take a critical section of each thread. Of the two stores to the turn before them let
// that of thread 1, T1, precede that of thread 0, T0, in modification order: T1 => T0. Thread 1's
// first fence happens before T1, and T0 before thread 0's second fence, so by 4.4 S has them in
// this order. A load of flag 1 by thread 0 behind its second fence does not miss the flag raised
// before thread 1's first fence, or 4.4 would put them the other way round. So thread 0 enters
// because
//   - flag 1 is 0, from a later store than the raised flag: a release store of thread 1 after its
//     section; or
//   - the turn is 0, from a store of thread 1 that is later than T0, and so not T1 but one of
//     its next attempts, behind its section. The first fence of that attempt releases.
// The acquire fence behind the loop makes thread 1's section happen before thread 0's in both
// cases.

#include "twin.h"

#include <atomic>

namespace {

#ifdef BUG
constexpr auto kFirstFence = std::memory_order_acq_rel;
#else
constexpr auto kFirstFence = std::memory_order_seq_cst;
#endif

constexpr int kRounds = 2;

class Lock {
public:
  void Acquire(int self) {
    const int other = 1 - self;
    flags_[self].store(1, std::memory_order_relaxed);
    std::atomic_thread_fence(kFirstFence);
    turn_.store(other, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    while (flags_[other].load(std::memory_order_relaxed) &&
           turn_.load(std::memory_order_relaxed) == other)
      std::this_thread::yield();
    std::atomic_thread_fence(std::memory_order_acquire);
  }

  void Release(int self) { flags_[self].store(0, std::memory_order_release); }

private:
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
