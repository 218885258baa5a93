// Reads all input, while there is another thread.
#include <atomic>
#include <thread>
#include <unistd.h>

int main() {
  std::atomic<bool> done{false};
  std::thread other([&] {
    while (!done)
      std::this_thread::yield();
  });
  static char bytes[4096];
  while (read(0, bytes, sizeof(bytes)) > 0) {
  }
  done = true;
  other.join();
}
