// The MCS lock: J. Mellor-Crummey, M. Scott, "Algorithms for Scalable Synchronization on
// Shared-Memory Multiprocessors", TOCS 1991, algorithm 5. Waiting threads are a list, and each
// spins on a flag of its own until its predecessor clears it.
//
// Three threads count under the lock, three times each, with a new node each time.
//
// The bug: the predecessor clears the flag with a relaxed store.
//
//   thread 0: has the lock                  thread 1: becomes the successor, spins
//   thread 0: counts; flag of 1 = false     thread 1: reads false; counts: a data race
//
// Without a thread that waits the lock goes through the tail, which acquires and releases: threads
// that do not meet hide the bug. Sequentially consistent executions show it.
//
// Correct: a lock that finds no predecessor acquires from the tail what its last owner released
// there, and with it, through the release sequence of the tail's read-modify-writes or the
// hand-overs before, all owners. One with a predecessor acquires from the flag. The flag is set
// before the node is in the list (a release store to the predecessor's `next`, acquired there), so
// that clearing comes after setting in modification order.

#include <atomic>
#include <cassert>
#include <thread>

namespace {

#ifdef BUG
constexpr auto kHandOver = std::memory_order_relaxed;
#else
constexpr auto kHandOver = std::memory_order_release;
#endif

constexpr int kThreads = 3, kRounds = 3;

struct Node {
  std::atomic<Node *> next{nullptr};
  std::atomic<bool> waits{false};
};

Node nodes[kThreads][kRounds];
std::atomic<Node *> tail{nullptr};
int counter; // under the lock only

void Lock(Node &mine) {
  mine.waits.store(true, std::memory_order_relaxed);
  Node *predecessor = tail.exchange(&mine, std::memory_order_acq_rel);
  if (!predecessor)
    return;
  predecessor->next.store(&mine, std::memory_order_release);
  while (mine.waits.load(std::memory_order_acquire))
    std::this_thread::yield();
}

void Unlock(Node &mine) {
  Node *successor = mine.next.load(std::memory_order_acquire);
  if (!successor) {
    Node *expected = &mine;
    if (tail.compare_exchange_strong(expected, nullptr, std::memory_order_release,
                                     std::memory_order_relaxed))
      return;
    while (!(successor = mine.next.load(std::memory_order_acquire)))
      std::this_thread::yield();
  }
  successor->waits.store(false, kHandOver);
}

void Run(int self) {
  for (auto &node : nodes[self]) {
    Lock(node);
    counter++;
    Unlock(node);
  }
}

} // namespace

int main() {
  std::thread threads[kThreads];
  for (int i = 0; i < kThreads; i++)
    threads[i] = std::thread(Run, i);
  for (auto &thread : threads)
    thread.join();
  assert(counter == kThreads * kRounds);
  return 0;
}
