// 3,000 operations, no two of which are the same.
#include <atomic>
#include <thread>

std::atomic<int> count{0};

int main() {
  std::thread other([] {
    for (int i = 0; i < 1500; i++)
      count++;
  });
  for (int i = 0; i < 1500; i++)
    count++;
  other.join();
}
