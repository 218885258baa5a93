// A flag that is published relaxed: its reader may find the old value of what came before. Only a
// stale read shows it, and there is no data race.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> data{0}, flag{0};

int main() {
  std::thread writer([] {
    data.store(1, std::memory_order_relaxed);
    flag.store(1, std::memory_order_relaxed);
  });
  if (flag.load(std::memory_order_acquire))
    assert(data.load(std::memory_order_relaxed) == 1);
  writer.join();
}
