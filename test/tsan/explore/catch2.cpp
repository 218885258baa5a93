// Inside Catch2: a requirement that fails ends the exploration by its exception, and the test fails.
//
// RUN: %clangxx_heddle -O0 %s -o %t
// RUN: %expect_exit 1 %t found > %t.out 2>&1; %FileCheck %s < %t.out
// RUN: env HEDDLE_EXPLORE="$(grep -o 'HEDDLE_EXPLORE=.*' %t.out | cut -d'"' -f2)" \
// RUN:   %expect_exit 1 %t found 2>&1 | %FileCheck %s
// RUN: %expect_clean %t clean
// CHECK: REQUIRE( seen == 1 )
// CHECK: heddle::Explore: an execution has failed: the body says so.
// CHECK: HEDDLE_EXPLORE="seed={{[0-9]+}} strategy=random weak_memory=buffer" {{.*}} found
// CHECK: 1 failed
#define CATCH_CONFIG_MAIN
#include <atomic>
#include <catch2/catch.hpp>
#include <sanitizer/heddle_interface.h>
#include <thread>

static void Pass(std::memory_order order) {
  heddle::Options options;
  options.weak_memory = "buffer";
  heddle::Explore(options, [order] {
    std::atomic<int> message{0}, ready{0};
    int seen = 1;
    std::thread sender([&] {
      message.store(1, std::memory_order_relaxed);
      ready.store(1, order);
    });
    if (ready.load(std::memory_order_acquire))
      seen = message.load(std::memory_order_relaxed);
    sender.join();
    REQUIRE(seen == 1);
  });
}

TEST_CASE("found") { Pass(std::memory_order_relaxed); }
TEST_CASE("clean") { Pass(std::memory_order_release); }
