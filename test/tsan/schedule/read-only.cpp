// A long loop that only reads is no livelock, and neither are several.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS=schedule=random:switch_probability=0.001 %t
#include <atomic>
#include <thread>

std::atomic<int> value{1};

static int Sum() {
  int sum = 0;
  for (int i = 0; i < 1500000; i++)
    sum += value.load(std::memory_order_relaxed);
  return sum;
}

int main() {
  std::thread one(Sum), other(Sum);
  one.join();
  other.join();
  return Sum() != 1500000;
}
