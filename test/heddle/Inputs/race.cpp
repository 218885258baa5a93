// Two threads write to one variable.
#include <thread>

int shared;

void Write() { shared++; }

int main() {
  std::thread other(Write);
  Write();
  other.join();
}
