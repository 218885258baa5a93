// utils/heddle/hunt/stop_switch.h: whoever waits for a descriptor is told of either switch.

#include "heddle/hunt/stop_switch.h"

#include <gtest/gtest.h>

#include <poll.h>

namespace {
using namespace heddle::hunt;

bool IsReadable(const Descriptor &descriptor) {
  pollfd wait = {descriptor.Get(), POLLIN, 0};
  return poll(&wait, 1, 0) == 1;
}

TEST(HuntStopSwitch, AnyOfIsReadableWhenOneHasStopped) {
  StopSwitch one, other;
  const Descriptor any = AnyOf(one, other), reverse = AnyOf(other, one);
  EXPECT_FALSE(IsReadable(any));
  other.Stop();
  for (int i = 0; i < 2; i++) { // and stays so
    EXPECT_TRUE(IsReadable(any));
    EXPECT_TRUE(IsReadable(reverse));
  }
}

} // namespace
