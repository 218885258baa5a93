// data is stored twice, and published relaxed: with the right choices the reader sees the flag, and
// the first of the two values.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> data{0}, flag{0};

int main() {
  std::thread writer([] {
    data.store(1, std::memory_order_relaxed);
    data.store(2, std::memory_order_relaxed);
    flag.store(1, std::memory_order_relaxed);
  });
  while (!flag.load(std::memory_order_relaxed)) {
  }
  assert(data.load(std::memory_order_relaxed) != 1);
  writer.join();
}
