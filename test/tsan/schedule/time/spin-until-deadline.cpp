// A loop that does nothing but look at the clock until a time has come ends soon, and not very late.
// That is said of the one that waits longest: where another has made the clock go fast, and queue lets
// it go on as long as it comes first, a shorter one may find that its time has long been over.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule --seeds 2 %t
#include "heddle_test.h"
#include <chrono>
#include <thread>

using Clock = std::chrono::steady_clock;

constexpr auto kLongest = std::chrono::hours(1);

static void Spin(std::chrono::seconds time) {
  atomic<bool> never{false};
  auto start = Clock::now(), now = start;
  while ((now = Clock::now()) < start + time && !never)
    ;
  EXPECT(now >= start + time && now <= start + 6 * kLongest);
}

int main() {
  std::thread other(Spin, std::chrono::seconds(60));
  Spin(kLongest);
  other.join();
}
