// Two threads count without a compare-exchange; one preemption between load and store loses an update.
#include <atomic>
#include <thread>

std::atomic<int> count{0};

void Count() {
  for (int i = 0; i < 20; i++)
    count.store(count.load() + 1);
}

int main() {
  std::thread other(Count);
  Count();
  other.join();
  return count == 40 ? 0 : 1;
}
