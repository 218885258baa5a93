// A sleep is not waited for while others work: an hour of theirs would be a billion operations. The
// clock shows that it has passed all the same, and short sleeps end before long ones.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule --seeds 2 %t
#include "heddle_test.h"
#include <chrono>
#include <thread>

using std::chrono::hours;
using std::chrono::steady_clock;

static atomic<bool> stop, third;
static atomic<int> x;

int main() {
  std::thread first([] {
    while (!stop)
      x++;
  });
  std::thread second([] {
    while (!stop)
      x++;
  });
  const auto start = steady_clock::now();
  std::thread sleeper([&] {
    std::this_thread::sleep_until(start + hours(1));
    third = true;
  });
  std::this_thread::sleep_until(start + hours(2));
  EXPECT(steady_clock::now() >= start + hours(2));
  stop = true;
  first.join();
  second.join();
  sleeper.join();
  EXPECT(third);
}
