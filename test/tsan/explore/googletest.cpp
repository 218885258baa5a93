// Inside GoogleTest: an expectation that fails in an execution ends the exploration, and the test
// fails.
//
// RUN: %clangxx_heddle %s -o %t -lgtest
// RUN: %expect_exit 1 %t --gtest_filter=*Found > %t.out 2>&1; %FileCheck %s < %t.out
// RUN: env HEDDLE_EXPLORE="$(grep -o 'HEDDLE_EXPLORE=.*' %t.out | cut -d'"' -f2)" \
// RUN:   %expect_exit 1 %t --gtest_filter=*Found 2>&1 | %FileCheck %s
// RUN: %expect_clean %t --gtest_filter=*Clean
// CHECK: Failure
// CHECK: message.load
// CHECK: heddle::Explore: an execution has failed: the test says so.
// CHECK: HEDDLE_EXPLORE="seed={{[0-9]+}} strategy=random weak_memory=mograph" {{.*}} --gtest_filter=*Found
// CHECK: [  FAILED  ] Message.Found
#include <atomic>
#include <gtest/gtest.h>
#include <sanitizer/heddle_interface.h>
#include <thread>

static void Pass(std::memory_order order) {
  heddle::Options options;
  options.weak_memory = "mograph";
  options.failed = [] { return testing::Test::HasFailure(); };
  heddle::Explore(options, [order] {
    std::atomic<int> message{0}, ready{0};
    std::thread sender([&] {
      message.store(1, std::memory_order_relaxed);
      ready.store(1, order);
    });
    if (ready.load(std::memory_order_acquire))
      EXPECT_EQ(message.load(std::memory_order_relaxed), 1);
    sender.join();
  });
}

TEST(Message, Found) { Pass(std::memory_order_relaxed); }
TEST(Message, Clean) { Pass(std::memory_order_release); }

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
