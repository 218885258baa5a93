// A reader-writer lock in one word that prefers readers: J. Mellor-Crummey, M. Scott, "Scalable
// Reader-Writer Synchronization for Shared-Memory Multiprocessors", PPoPP 1991, section 2.
// Three threads write four words under the write lock and then read them under the read lock,
// twice. The words are relaxed atomics, and who has the write lock does not read.
//
// The bug is the one of the C11Tester paper (section 7.1): the write lock is taken with relaxed
// atomics. The second of two writers does not acquire what the first has released, and nothing
// orders its stores behind the first one's.
//
//   writer 1: lock 0 -> 1;  x = 1;  y = 1;  lock 1 -> 0
//   writer 2: lock 0 -> 1;  x = 2;  y = 2;  lock 1 -> 0
//   reader:   lock 0 -> 2;  reads x == 1, y == 2
//
// with x == 2 before x == 1 in modification order. "x = 1" is sequenced before writer 1's unlock,
// which writer 2's lock reads, "x = 2" is sequenced behind that, and before "x = 1" in modification
// order: a cycle. Where the modification order is the order of execution this never happens: all
// changes of the lock are read-modify-writes, so the reader acquires every unlock before its lock,
// and of the stores that happen before it may read only the last. A store of a later writer it
// cannot see: that writer's lock reads from what follows the reader's unlock. No data race either:
// all is atomic.
//
// Correct: the write lock acquires every unlock before it, of writers and readers. Critical
// sections of writers are ordered by happens-before with all others, so a reader sees the last
// writer's words, all of them.

#include <atomic>
#include <cassert>
#include <thread>

namespace {

#ifdef BUG
constexpr auto kWriteLock = std::memory_order_relaxed;
#else
constexpr auto kWriteLock = std::memory_order_acquire;
#endif

constexpr int kWriter = 1, kReader = 2; // a flag, and what each reader adds
constexpr int kThreads = 3, kRounds = 2, kWords = 4;

std::atomic<int> lock{0};
std::atomic<int> words[kWords];

void LockForWriting() {
  int expected = 0;
  while (!lock.compare_exchange_strong(expected, kWriter, kWriteLock, std::memory_order_relaxed)) {
    std::this_thread::yield();
    expected = 0;
  }
}

void UnlockForWriting() { lock.fetch_sub(kWriter, std::memory_order_release); }

void LockForReading() {
  int seen = lock.fetch_add(kReader, std::memory_order_acquire);
  while (seen & kWriter) {
    std::this_thread::yield();
    seen = lock.load(std::memory_order_acquire);
  }
}

void UnlockForReading() { lock.fetch_sub(kReader, std::memory_order_release); }

void Write(int value) {
  LockForWriting();
  for (auto &word : words)
    word.store(value, std::memory_order_relaxed);
  UnlockForWriting();
}

void Read() {
  LockForReading();
  int seen[kWords];
  for (int i = 0; i < kWords; i++)
    seen[i] = words[i].load(std::memory_order_relaxed);
  UnlockForReading();
  for (int value : seen)
    assert(value == seen[0] && "all that one writer wrote");
}

void Run(int self) {
  for (int i = 0; i < kRounds; i++) {
    Write(kRounds * self + i + 1);
    Read();
  }
}

} // namespace

int main() {
  std::thread threads[kThreads];
  for (int i = 0; i < kThreads; i++)
    threads[i] = std::thread(Run, i);
  for (auto &thread : threads)
    thread.join();
  return 0;
}
