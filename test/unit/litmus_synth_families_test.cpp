// The names of families: whatever the threads, locations, orders and fences are.

#include "heddle/litmus/synth_families.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace {
using namespace heddle::litmus;
using Kind = WholeExecution::Kind;
constexpr int kInitial = WholeExecution::kInitial;
constexpr Order kRlx = Order::kRelaxed;

TEST(LitmusSynthFamilies, MessagePassing) {
  SynthesisedTest test;
  // The reader first, the locations the other way round, and a fence.
  test.threads = {
      {{Kind::kRead, 0, kRlx}, {Kind::kFence, -1, Order::kAcquire}, {Kind::kRead, 1, kRlx}},
      {{Kind::kWrite, 1, kRlx}, {Kind::kWrite, 0, Order::kRelease}}};
  test.forbidden = {{{4, kInitial, kInitial, kInitial, kInitial}, {{4}, {3}}}};
  EXPECT_EQ(FamilyOf(test), "MP");
  // The flag is raised by a read-modify-write, or lowered by one.
  test.threads[1][1].kind = Kind::kRmw;
  EXPECT_EQ(FamilyOf(test), "MP");
  test.threads[1][1].kind = Kind::kWrite;
  test.threads[0][0].kind = Kind::kRmw;
  test.forbidden[0].mo[0] = {4, 0};
  EXPECT_EQ(FamilyOf(test), "MP");
  // The message is there: no family, nothing is wrong with it.
  test.threads[0][0].kind = Kind::kRead;
  test.forbidden = {{{4, kInitial, 3, kInitial, kInitial}, {{4}, {3}}}};
  EXPECT_EQ(FamilyOf(test), "");
}

TEST(LitmusSynthFamilies, OrderOfWritesTellsSFromR) {
  SynthesisedTest test;
  test.threads = {{{Kind::kWrite, 0, kRlx}, {Kind::kWrite, 1, kRlx}},
                  {{Kind::kRead, 1, kRlx}, {Kind::kWrite, 0, kRlx}}};
  test.forbidden = {{{kInitial, kInitial, 1, kInitial}, {{3, 0}, {1}}}};
  EXPECT_EQ(FamilyOf(test), "S");
  test.forbidden[0].mo[0] = {0, 3};
  EXPECT_EQ(FamilyOf(test), "");
}

TEST(LitmusSynthFamilies, AllAreFoundAmongTheTestsOfTheirSize) {
  std::vector<std::string> all = Families();
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
  SynthOptions options;
  options.max_events = 6;
  options.max_rmws = 0;
  options.fences = false;
  std::set<std::string> found;
  for (const SynthesisedTest &test : Synthesise(options))
    found.insert(test.family);
  for (const std::string &family : all)
    // A thread's write and its own later read do it without the other thread.
    EXPECT_EQ(found.count(family), family != "CoWR") << family;
}

} // namespace
