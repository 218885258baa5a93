// Dekker's mutual exclusion of two threads with fences: E. W. Dijkstra, "Cooperating sequential
// processes", 1965, section 2.1, where stores and loads are what they seem. In C++ each store of
// one's own flag and the loads of the other's need a seq_cst fence between them.
//
// The bug: the fences are acq_rel, which does not keep a store before a later load.
//
//   thread 0: flag[0] = 1; fence; reads flag[1] == 0      both are in the critical section, and
//   thread 1: flag[1] = 1; fence; reads flag[0] == 0      the counter is a data race
//
// One of the two reads is stale. In a sequentially consistent execution one of them sees the
// other's flag, and the fences at the entry and the exit order the critical sections.
//
// Correct: take the last fence of each thread before it goes in. The later one in the order of all
// seq_cst operations is followed by a load that sees the other's flag as of before the earlier one,
// or a later store. The other stores to it only when it leaves: a 0 from there is behind a release
// fence, and an acquire fence follows the load. So one critical section happens before the other.

#include <atomic>
#include <cassert>
#include <thread>

namespace {

#ifdef BUG
constexpr auto kFence = std::memory_order_acq_rel;
#else
constexpr auto kFence = std::memory_order_seq_cst;
#endif

constexpr int kRounds = 2;

std::atomic<int> flag[2];
std::atomic<int> turn{0};
int counter; // in the critical section only

void Want(int self) {
  flag[self].store(1, std::memory_order_relaxed);
  std::atomic_thread_fence(kFence);
}

void Lock(int self) {
  const int other = 1 - self;
  Want(self);
  while (flag[other].load(std::memory_order_relaxed)) {
    if (turn.load(std::memory_order_relaxed) == self) {
      std::this_thread::yield();
      continue;
    }
    flag[self].store(0, std::memory_order_relaxed);
    while (turn.load(std::memory_order_relaxed) != self)
      std::this_thread::yield();
    Want(self);
  }
  std::atomic_thread_fence(std::memory_order_acquire);
}

void Unlock(int self) {
  std::atomic_thread_fence(std::memory_order_release);
  turn.store(1 - self, std::memory_order_relaxed);
  flag[self].store(0, std::memory_order_relaxed);
}

void Run(int self) {
  for (int i = 0; i < kRounds; i++) {
    Lock(self);
    counter++;
    Unlock(self);
  }
}

} // namespace

int main() {
  std::thread first(Run, 0), second(Run, 1);
  first.join();
  second.join();
  assert(counter == 2 * kRounds);
  return 0;
}
