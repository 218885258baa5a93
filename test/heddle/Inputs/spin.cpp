// Computes for ever, if the other thread is late.
#include <atomic>
#include <thread>

std::atomic<bool> done{false};

int main() {
  std::thread other([] { done = true; });
  if (!done)
    for (volatile long i = 0;; i = i + 1) {
      if (i < 0)
        break;
    }
  other.join();
}
