// A queue without locks for one producer and one consumer, which loses an item.
//
// The consumer ends when the queue is closed and empty. It asks whether it is closed first, so
// that what was pushed before is seen after. But Close is relaxed: nothing that the producer did
// before it need be visible to who reads true. The consumer may see the queue closed, and an
// old tail_ in which the last items are missing.
//
// No processor of the x86 family does that, and every test passes there. One of the Arm family
// may. Stock ThreadSanitizer is silent: there is no data race. With -DFIXED Close releases.
#include <array>
#include <assert.h>
#include <atomic>
#include <stdio.h>
#include <thread>

#ifdef FIXED
constexpr auto kClose = std::memory_order_release;
#else
constexpr auto kClose = std::memory_order_relaxed;
#endif

class Queue {
public:
  bool Push(int item) {
    const unsigned tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == items_.size())
      return false;
    items_[tail % items_.size()] = item;
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }
  bool Pop(int *item) {
    const unsigned head = head_.load(std::memory_order_relaxed);
    if (head == tail_.load(std::memory_order_acquire))
      return false;
    *item = items_[head % items_.size()];
    head_.store(head + 1, std::memory_order_release);
    return true;
  }
  void Close() { closed_.store(true, kClose); }
  bool IsClosed() const { return closed_.load(std::memory_order_acquire); }

private:
  std::array<int, 4> items_;
  std::atomic<unsigned> head_{0}, tail_{0};
  std::atomic<bool> closed_{false};
};

int main() {
  Queue queue;
  int sum = 0;
  std::thread consumer([&] {
    for (;;) {
      const bool closed = queue.IsClosed();
      int item;
      if (queue.Pop(&item))
        sum += item;
      else if (closed)
        return;
      else
        std::this_thread::yield();
    }
  });
  for (int item = 1; item <= 3; item++)
    while (!queue.Push(item))
      std::this_thread::yield();
  queue.Close();
  consumer.join();
  assert(sum == 1 + 2 + 3);
  puts("all items came");
}
