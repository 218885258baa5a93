// A bounded queue of many producers and consumers: the ring described in DPDK's Programmer's Guide,
// "Ring Library", after FreeBSD's buf_ring. Each side has a head, from which a thread takes a slot
// with a compare-exchange, and a tail, which threads move in the order of their slots: who has
// filled a slot waits until all slots before are filled, and then moves the tail over its own.
//
// Four threads enqueue two items each and then dequeue as many.
//
// The bug: producers move the tail with a relaxed store.
//
//   producer: slot 0 = 1;  tail = 1, relaxed
//   consumer: reads tail == 1, acquire;  reads slot 0: a data race
//
// Threads that do all their work one after the other hide it: each then dequeues what it has
// enqueued. Sequentially consistent executions show it if threads meet.
//
// Correct: the producer of slot n acquires tail == n, by which the producer of slot n - 1 has
// released its own slot and, for the same reason, all before. A consumer of slot n has acquired a
// tail above n. The compare-exchanges give each slot to one thread of a side. Consumers move their
// tail in the same way, so that a slot is filled again only after it was read.

#include <atomic>
#include <cassert>
#include <thread>

namespace {

#ifdef BUG
constexpr auto kPublish = std::memory_order_relaxed;
#else
constexpr auto kPublish = std::memory_order_release;
#endif

constexpr int kSlots = 16;
constexpr int kThreads = 4, kItems = 2; // items of each

struct Side {
  std::atomic<int> head{0}, tail{0};
};

Side producers, consumers;
int slots[kSlots];

bool Enqueue(int item) {
  int head = producers.head.load(std::memory_order_relaxed);
  do {
    if (head - consumers.tail.load(std::memory_order_acquire) >= kSlots)
      return false;
  } while (!producers.head.compare_exchange_strong(head, head + 1, std::memory_order_relaxed,
                                                   std::memory_order_relaxed));
  slots[head % kSlots] = item;
  while (producers.tail.load(std::memory_order_acquire) != head)
    std::this_thread::yield();
  producers.tail.store(head + 1, kPublish);
  return true;
}

// Returns 0 if there is nothing.
int Dequeue() {
  int head = consumers.head.load(std::memory_order_relaxed);
  do {
    if (producers.tail.load(std::memory_order_acquire) <= head)
      return 0;
  } while (!consumers.head.compare_exchange_strong(head, head + 1, std::memory_order_relaxed,
                                                   std::memory_order_relaxed));
  const int item = slots[head % kSlots];
  while (consumers.tail.load(std::memory_order_acquire) != head)
    std::this_thread::yield();
  consumers.tail.store(head + 1, std::memory_order_release);
  return item;
}

void Run(int *sum) {
  for (int i = 0; i < kItems; i++)
    while (!Enqueue(1))
      std::this_thread::yield();
  for (int i = 0; i < kItems; i++) {
    int item;
    while (!(item = Dequeue()))
      std::this_thread::yield();
    *sum += item;
  }
}

} // namespace

int main() {
  int sums[kThreads] = {};
  std::thread threads[kThreads];
  for (int i = 0; i < kThreads; i++)
    threads[i] = std::thread(Run, &sums[i]);
  for (auto &thread : threads)
    thread.join();
  for (int sum : sums)
    assert(sum == kItems);
  return 0;
}
