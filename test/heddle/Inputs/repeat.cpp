// A thread that does the same again and again, whatever the schedule.
#include <atomic>
#include <thread>

std::atomic<int> first{0}, second{0};

int main() {
  std::thread other([] {
    for (int i = 0; i < 8; i++) {
      first.load();
      second.load();
    }
  });
  other.join();
}
