// x86-TSO on events made by hand; the names are those of the paper where it has them.

#include "hardware_model_testing.h"

#include <gtest/gtest.h>

namespace {
using namespace heddle::litmus::hardware;

constexpr Architecture kModel = Architecture::kX86;

TEST(HardwareModelX86, OnlyAStorePassesALaterLoad) {
  EXPECT_TRUE(Allows(kModel, {Code().W(X, 1).R(Y), Code().W(Y, 1).R(X)}, {{0, 0, 0}, {1, 0, 0}}));
  EXPECT_FALSE(Allows(kModel, {Code().W(X, 1).W(Y, 1), Code().R(Y).R(X)}, {{1, 0, 1}, {1, 1, 0}}));
  EXPECT_FALSE(Allows(kModel, {Code().R(X).W(Y, 1), Code().R(Y).W(X, 1)}, {{0, 0, 1}, {1, 0, 1}}));
  EXPECT_FALSE(
      Allows(kModel, {Code().W(X, 2).W(Y, 1), Code().W(Y, 2).W(X, 1)}, {{-1, X, 2}, {-1, Y, 2}}));
  EXPECT_FALSE(
      Allows(kModel, {Code().W(X, 2).W(Y, 1), Code().R(Y).W(X, 1)}, {{1, 0, 1}, {-1, X, 2}}));
  EXPECT_TRUE(
      Allows(kModel, {Code().W(X, 1).W(Y, 1), Code().W(Y, 2).R(X)}, {{1, 0, 0}, {-1, Y, 2}}));
  EXPECT_FALSE(Allows(kModel, {Code().W(X, 1), Code().W(Y, 1), Code().R(X).R(Y), Code().R(Y).R(X)},
                      {{2, 0, 1}, {2, 1, 0}, {3, 0, 1}, {3, 1, 0}}));
}

TEST(HardwareModelX86, Fences) {
  auto sb = [](const Code &a, const Code &b, int first, int second) {
    return Allows(kModel, {a, b}, {{0, first, 0}, {1, second, 0}});
  };
  Code fenced_x = Code().W(X, 1).F(Fence::kX86Full).R(Y);
  Code fenced_y = Code().W(Y, 1).F(Fence::kX86Full).R(X);
  EXPECT_FALSE(sb(fenced_x, fenced_y, 0, 0));
  EXPECT_TRUE(sb(fenced_x, Code().W(Y, 1).R(X), 0, 0));
  // A locked instruction is a fence, as the store or between.
  EXPECT_FALSE(sb(Code().Swap(X, 1).R(Y), Code().Swap(Y, 1).R(X), 1, 1));
  EXPECT_FALSE(sb(Code().W(X, 1).Increment(Z, 0).R(Y), fenced_y, 1, 0));
  EXPECT_FALSE(sb(Code().W(X, 1).Increment(Y, 0), fenced_y, 0, 0));
  // A compare-exchange that fails is locked, too.
  EXPECT_FALSE(sb(Code().W(X, 1).R(Y, kAtomic), Code().W(Y, 1).R(X, kAtomic), 0, 0));
  EXPECT_FALSE(sb(Code().W(X, 1).R(Z, kAtomic).R(Y), fenced_y, 1, 0));
}

TEST(HardwareModelX86, ForwardingFromTheBuffer) {
  // n6
  EXPECT_TRUE(Allows(kModel, {Code().W(X, 1).R(X).R(Y), Code().W(Y, 2).W(X, 2)},
                     {{0, 0, 1}, {0, 1, 0}, {-1, X, 1}}));
  // n5
  EXPECT_FALSE(Allows(kModel, {Code().W(X, 1).R(X), Code().W(X, 2).R(X)}, {{0, 0, 2}, {1, 0, 1}}));
  // n4b
  EXPECT_FALSE(Allows(kModel, {Code().R(X).W(X, 1), Code().R(X).W(X, 2)}, {{0, 0, 2}, {1, 0, 1}}));
  // SB+rfi-pos: each thread sees its own store first.
  EXPECT_TRUE(Allows(kModel, {Code().W(X, 1).R(X).R(Y), Code().W(Y, 1).R(Y).R(X)},
                     {{0, 0, 1}, {0, 1, 0}, {1, 0, 1}, {1, 1, 0}}));
}

} // namespace
