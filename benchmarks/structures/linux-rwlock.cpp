// The Linux kernel's reader-writer spin lock of old: D. Bovet, M. Cesati, "Understanding the Linux
// Kernel", 3rd edition, 2005, chapter 5, "Read/Write Spin Locks". A counter that starts with a
// bias: a reader takes 1, a writer the whole bias, and who finds too little there gives it back and
// waits.
//
// Three threads read a plain variable twice and then write it.
//
// The bug: a reader leaves with a relaxed fetch_add. Its reads then do not happen before what the
// next writer writes.
//
//   thread 0: read lock; reads data; read unlock, relaxed
//   thread 1: write lock, which acquires nothing of thread 0; writes data: a data race
//
// Threads that do all their work one after the other hide it: thread 0 releases its reads with the
// write unlock that follows. Sequentially consistent executions show it if another thread writes
// between a thread's read and its own write.
//
// Correct: all changes of the counter are read-modify-writes, so each lock acquires every unlock
// before it. A writer has the whole bias only if nobody else has taken of it, so its critical
// section is behind or before each other one in the order of these changes, and ordered by
// happens-before.

#include <atomic>
#include <cassert>
#include <thread>

namespace {

#ifdef BUG
constexpr auto kReadUnlock = std::memory_order_relaxed;
#else
constexpr auto kReadUnlock = std::memory_order_release;
#endif

constexpr int kBias = 0x100000;
constexpr int kThreads = 3, kReads = 2;

std::atomic<int> counter{kBias};
int data; // under the lock only

void ReadLock() {
  while (counter.fetch_sub(1, std::memory_order_acquire) <= 0) {
    counter.fetch_add(1, std::memory_order_relaxed);
    while (counter.load(std::memory_order_relaxed) <= 0)
      std::this_thread::yield();
  }
}

void ReadUnlock() { counter.fetch_add(1, kReadUnlock); }

void WriteLock() {
  while (counter.fetch_sub(kBias, std::memory_order_acquire) != kBias) {
    counter.fetch_add(kBias, std::memory_order_relaxed);
    while (counter.load(std::memory_order_relaxed) != kBias)
      std::this_thread::yield();
  }
}

void WriteUnlock() { counter.fetch_add(kBias, std::memory_order_release); }

void Run() {
  int last = 0;
  for (int i = 0; i < kReads; i++) {
    ReadLock();
    const int seen = data;
    ReadUnlock();
    assert(seen >= last && "it only grows");
    last = seen;
  }
  WriteLock();
  data++;
  WriteUnlock();
}

} // namespace

int main() {
  std::thread threads[kThreads];
  for (auto &thread : threads)
    thread = std::thread(Run);
  for (auto &thread : threads)
    thread.join();
  assert(data == kThreads);
  return 0;
}
