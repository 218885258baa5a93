// Two races that are one to people: the first frames of their stacks are the same.
#include <thread>

alignas(64) int first;
alignas(64) int second;

__attribute__((noinline)) void Increment(int &value) {
  value++;
  asm volatile("");
}

__attribute__((noinline)) void Inner(int &value) {
  Increment(value);
  asm volatile("");
}

__attribute__((noinline)) void Outer(int &value) {
  Inner(value);
  asm volatile("");
}

__attribute__((noinline)) void One() {
  Outer(first);
  asm volatile("");
}

__attribute__((noinline)) void Another() {
  Outer(second);
  asm volatile("");
}

void Both() {
  One();
  Another();
}

int main() {
  std::thread other(Both);
  Both();
  other.join();
}
