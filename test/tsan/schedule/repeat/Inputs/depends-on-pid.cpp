// Each process has another number, and performs other operations.
#include <atomic>
#include <thread>
#include <unistd.h>

std::atomic<int> x;

int main() {
  std::thread other([] { x++; });
  for (int pid = getpid(), bit = 0; bit < 22; bit++) {
    if (pid >> bit & 1)
      x.store(1);
    else
      x.load();
  }
  other.join();
}
