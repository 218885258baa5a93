// A sense-reversing barrier for three threads: J. Mellor-Crummey, M. Scott, "Algorithms for
// Scalable Synchronization on Shared-Memory Multiprocessors", TOCS 1991, section 3.1.
//
// In each of two phases a thread writes its cell and, behind the barrier, reads its neighbour's.
// The cells are relaxed atomics: that the neighbour's value is there is for the barrier to see to.
//
// The bug: threads arrive with a relaxed fetch_sub. Who arrives last then knows nothing of what the
// others did before, and neither do they of each other when it has let them go.
//
//   first:  cell[0] = 1; count 3 -> 2; ...         second:  cell[1] = 1; count 2 -> 1; ...
//   last:   cell[2] = 1; count 1 -> 0; sense = true; reads cell[0] == 0, the value before
//
// A stale read of a cell is all it takes; the last one's does not depend on anybody's sense. No
// sequentially consistent execution shows it, and nothing here is a data race.
//
// Correct: the arrivals are one release sequence after the other, so the last one's acquires all of
// them, and its release store to the sense passes that on to who acquires the sense. Before the
// barrier thus happens before behind it. The reset of the count is ordered the same way.

#include <atomic>
#include <cassert>
#include <thread>

namespace {

#ifdef BUG
constexpr auto kArrive = std::memory_order_relaxed;
#else
constexpr auto kArrive = std::memory_order_acq_rel;
#endif

constexpr int kThreads = 3, kPhases = 2;

std::atomic<int> count{kThreads};
std::atomic<bool> sense{false};
std::atomic<int> cells[kPhases][kThreads];

void Wait(bool &my_sense) {
  my_sense = !my_sense;
  if (count.fetch_sub(1, kArrive) == 1) {
    count.store(kThreads, std::memory_order_relaxed);
    sense.store(my_sense, std::memory_order_release);
    return;
  }
  while (sense.load(std::memory_order_acquire) != my_sense)
    std::this_thread::yield();
}

void Run(int self) {
  bool my_sense = false;
  for (auto &cell : cells) {
    cell[self].store(1, std::memory_order_relaxed);
    Wait(my_sense);
    const int seen = cell[(self + 1) % kThreads].load(std::memory_order_relaxed);
    assert(seen == 1 && "the neighbour's write of this phase");
    (void)seen;
  }
}

} // namespace

int main() {
  std::thread second(Run, 1), third(Run, 2);
  Run(0);
  second.join();
  third.join();
  return 0;
}
