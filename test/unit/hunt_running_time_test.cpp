// utils/heddle/hunt/running_time.h: what counts against a time-out.

#include "heddle/hunt/running_time.h"

#include <gtest/gtest.h>

namespace {
using namespace heddle::hunt;
using namespace std::chrono_literals;

struct HandClock {
  using duration = std::chrono::milliseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<HandClock>;
  static time_point now() { return hand; }
  static inline time_point hand{};
};

TEST(RunningTime, CountsWhatPasses) {
  RunningTime<HandClock> time;
  for (int i = 0; i < 10; i++) {
    HandClock::hand += 200ms;
    time.Look();
  }
  EXPECT_DOUBLE_EQ(time.Look(), 2.0);
}

TEST(RunningTime, AMachineThatStandsStillCostsNothing) {
  RunningTime<HandClock> time;
  HandClock::hand += 100ms;
  EXPECT_DOUBLE_EQ(time.Look(), 0.1);
  HandClock::hand += 1h;
  EXPECT_LE(time.Look(), 0.5);
}

TEST(RunningTime, WaitsForASliceAtMost) {
  RunningTime<HandClock> time;
  EXPECT_EQ(time.Wait(3), 200);
  HandClock::hand += 190ms;
  EXPECT_EQ(time.Wait(0.2), 11);
  HandClock::hand += 300ms;
  EXPECT_EQ(time.Wait(0.2), 0);
}

} // namespace
