// Waits for input that never comes, if the other thread is late.
#include <atomic>
#include <thread>
#include <unistd.h>

std::atomic<bool> done{false};

int main() {
  int ends[2];
  if (pipe(ends))
    return 3;
  std::thread other([] { done = true; });
  char byte;
  if (!done && read(ends[0], &byte, 1) < 0)
    return 3;
  other.join();
}
