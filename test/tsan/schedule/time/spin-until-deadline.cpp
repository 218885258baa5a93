// A loop that does nothing but look at the clock until a time has come ends soon, and late by no more
// than it has waited.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule --seeds 2 %t
#include "heddle_test.h"
#include <chrono>
#include <thread>

using Clock = std::chrono::steady_clock;

static void Spin(std::chrono::seconds time) {
  atomic<bool> never{false};
  auto start = Clock::now(), now = start;
  while ((now = Clock::now()) < start + time && !never)
    ;
  EXPECT(now >= start + time && now <= start + 6 * time);
}

int main() {
  std::thread other(Spin, std::chrono::seconds(60));
  Spin(std::chrono::hours(1));
  other.join();
}
