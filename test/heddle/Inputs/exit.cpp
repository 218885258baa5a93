// Exits with 3, if the other thread is late.
#include <atomic>
#include <thread>

std::atomic<bool> done{false};

int main() {
  std::thread other([] { done = true; });
  int code = done ? 0 : 3;
  other.join();
  return code;
}
