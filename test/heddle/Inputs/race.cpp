// Two threads write to the same variables.
#include <thread>

int shared[64]; // many: of two accesses at the same instant neither need see the other

void Write(int &each) { each++; }

void Write() {
  for (int &each : shared)
    Write(each);
}

int main() {
  std::thread other([] { Write(); });
  Write();
  other.join();
}
