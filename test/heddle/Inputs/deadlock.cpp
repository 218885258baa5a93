// Two locks in both orders.
#include <mutex>
#include <thread>

std::mutex first, second;

void Forth() {
  std::lock_guard one(first);
  std::lock_guard two(second);
}

void Back() {
  std::lock_guard two(second);
  std::lock_guard one(first);
}

int main() {
  std::thread other(Forth);
  Back();
  other.join();
}
