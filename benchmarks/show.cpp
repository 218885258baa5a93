// A long execution, for `benchmarks/show`: four threads with atomics that they share, so that most
// operations come after a switch and many reads are stale. The argument is the number of
// operations.

#include <atomic>
#include <cstdlib>
#include <thread>

namespace {

std::atomic<int> counters[8];
std::atomic<int> flag;

void Work(unsigned operations, unsigned thread) {
  unsigned random = thread + 1;
  for (unsigned i = 0; i < operations; i++) {
    random = random * 1664525 + 1013904223;
    std::atomic<int> &counter = counters[random >> 29];
    switch (random >> 20 & 3) {
    case 0:
      counter.store(int(i), std::memory_order_release);
      break;
    case 1:
      counter.load(std::memory_order_acquire);
      break;
    case 2:
      counter.fetch_add(1, std::memory_order_relaxed);
      break;
    default:
      flag.load(std::memory_order_relaxed);
    }
  }
}

} // namespace

int main(int count, char **arguments) {
  constexpr unsigned kThreads = 4;
  const unsigned operations = count > 1 ? unsigned(atoi(arguments[1])) : 1'000'000;
  std::thread threads[kThreads];
  for (unsigned i = 0; i < kThreads; i++)
    threads[i] = std::thread(Work, operations / kThreads, i);
  for (std::thread &thread : threads)
    thread.join();
}
