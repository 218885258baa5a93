// Uses a pointer that is not there yet, if the other thread is late.
#include <atomic>
#include <thread>

int value;
std::atomic<int *> pointer{nullptr};

int main() {
  std::thread other([] { pointer = &value; });
  int read = *pointer.load();
  other.join();
  return read;
}
