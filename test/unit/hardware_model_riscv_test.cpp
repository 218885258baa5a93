// RVWMO on events made by hand: each rule of preserved program order with a test that
// it decides. Names and verdicts follow the manual's appendix where it has them.

#include "hardware_model_testing.h"

#include <gtest/gtest.h>

namespace {
using namespace heddle::litmus::hardware;

constexpr Architecture kModel = Architecture::kRiscV;
constexpr uint8_t kBoth = kReads | kWrites;
constexpr uint32_t kAq = kAtomic | kAcquire, kRl = kAtomic | kRelease;

Code &Fenced(Code &code, uint8_t before = kBoth, uint8_t after = kBoth) {
  return code.F(Fence::kRiscV, before, after);
}

bool Mp(const Code &reader, int last = 1) {
  Code writer = Code().W(X, 1);
  Fenced(writer).W(Y, 1);
  return Allows(kModel, {writer, reader}, {{1, 0, 1}, {1, last, 0}});
}

TEST(HardwareModelRiscV, Fences) {
  auto mp = [](uint8_t a, uint8_t b, uint8_t c, uint8_t d) {
    Code writer = Code().W(X, 1), reader = Code().R(Y);
    Fenced(writer, a, b).W(Y, 1);
    Fenced(reader, c, d).R(X);
    return Allows(kModel, {writer, reader}, {{1, 0, 1}, {1, 1, 0}});
  };
  EXPECT_FALSE(mp(kWrites, kWrites, kReads, kReads));
  EXPECT_FALSE(mp(kBoth, kWrites, kReads, kBoth));
  EXPECT_TRUE(mp(kReads, kBoth, kReads, kReads));
  EXPECT_TRUE(mp(kWrites, kReads, kReads, kReads));
  EXPECT_TRUE(mp(kWrites, kWrites, kReads, kWrites));
  EXPECT_TRUE(mp(kWrites, kWrites, kWrites, kReads));

  auto sb = [](Fence fence, uint8_t before, uint8_t after) {
    return Allows(
        kModel,
        {Code().W(X, 1).F(fence, before, after).R(Y), Code().W(Y, 1).F(fence, before, after).R(X)},
        {{0, 0, 0}, {1, 0, 0}});
  };
  EXPECT_FALSE(sb(Fence::kRiscV, kWrites, kReads));
  EXPECT_FALSE(sb(Fence::kRiscV, kBoth, kBoth));
  EXPECT_TRUE(sb(Fence::kRiscVTso, 0, 0));
  EXPECT_TRUE(sb(Fence::kRiscVI, 0, 0));
  EXPECT_FALSE(Allows(
      kModel, {Code().W(X, 1).F(Fence::kRiscVTso).W(Y, 1), Code().R(Y).F(Fence::kRiscVTso).R(X)},
      {{1, 0, 1}, {1, 1, 0}}));
  EXPECT_FALSE(Allows(
      kModel, {Code().R(X).F(Fence::kRiscVTso).W(Y, 1), Code().R(Y).F(Fence::kRiscVTso).W(X, 1)},
      {{0, 0, 1}, {1, 0, 1}}));
}

TEST(HardwareModelRiscV, Dependencies) {
  EXPECT_TRUE(Mp(Code().R(Y).R(X)));
  EXPECT_FALSE(Mp(Code().R(Y).R(X).Addr(0)));                         // 9
  EXPECT_TRUE(Mp(Code().R(Y).R(X).Ctrl(0)));                          // not 11
  EXPECT_FALSE(Mp(Code().R(Y).W(Z, 1).Data(0).R(Z).R(X).Addr(2), 2)); // 12
  EXPECT_FALSE(Mp(Code().R(Y).W(Z, 1).Addr(0).R(Z).R(X).Addr(2), 2)); // 12
  EXPECT_TRUE(Mp(Code().R(Y).W(Z, 1).Ctrl(0).R(Z).R(X).Addr(2), 2));  // PPOCA
  auto lb = [](const Code &a, const Code &b) {
    return Allows(kModel, {a, b}, {{0, 0, 1}, {1, 0, 1}});
  };
  EXPECT_TRUE(lb(Code().R(X).W(Y, 1), Code().R(Y).W(X, 1)));
  EXPECT_FALSE(lb(Code().R(X).W(Y, 0).Data(0), Code().R(Y).W(X, 0).Data(0)));      // 10
  EXPECT_FALSE(lb(Code().R(X).W(Y, 1).Ctrl(0), Code().R(Y).W(X, 1).Ctrl(0)));      // 11
  EXPECT_FALSE(lb(Code().R(X).R(Z).Addr(0).W(Y, 1), Code().R(Y).W(X, 1).Ctrl(0))); // 13
}

TEST(HardwareModelRiscV, SameLocation) {
  // 2: RDW is ordered, RSW is not.
  Code writer = Code().W(Z, 1);
  Fenced(writer).W(Y, 1);
  std::vector<Code> threads = {writer, Code().R(Y).R(X).Addr(0).R(X).R(Z).Addr(2), Code().W(X, 1)};
  EXPECT_FALSE(Allows(kModel, threads, {{1, 0, 1}, {1, 1, 0}, {1, 2, 1}, {1, 3, 0}}));
  EXPECT_TRUE(Allows(kModel, threads, {{1, 0, 1}, {1, 1, 0}, {1, 2, 0}, {1, 3, 0}}));
  // 3: forwarding from an AMO, or an SC, is not before the AMO.
  auto sb = [](uint32_t flags) {
    auto code = [&](int own, int other) {
      Code code = flags ? Code().Swap(own, 1, flags, flags) : Code().W(own, 1);
      int read = static_cast<int>(code.Operations().size());
      code.R(own).R(other).Addr(read);
      return code;
    };
    int first = flags ? 1 : 0;
    return Allows(kModel, {code(X, Y), code(Y, X)},
                  {{0, first, 1}, {0, first + 1, 0}, {1, first, 1}, {1, first + 1, 0}});
  };
  EXPECT_TRUE(sb(0));
  EXPECT_FALSE(sb(kAtomic));
  EXPECT_FALSE(sb(kExclusive));
}

TEST(HardwareModelRiscV, Annotations) {
  EXPECT_FALSE(Mp(Code().Increment(Y, 0, kAq, kAtomic).R(X))); // 5
  EXPECT_TRUE(Mp(Code().Increment(Y, 0).R(X)));
  Code reader = Code().R(Y);
  Fenced(reader).R(X);
  EXPECT_FALSE(Allows(kModel, {Code().W(X, 1).Swap(Y, 1, kAtomic, kRl), reader},
                      {{1, 0, 1}, {1, 1, 0}})); // 6
  EXPECT_TRUE(Allows(kModel, {Code().W(X, 1).Swap(Y, 1), reader}, {{1, 0, 1}, {1, 1, 0}}));
  // 7: a release before an acquire, both RCsc. Here halves of LR and SC pairs.
  auto sb = [](uint32_t acquire) {
    return Allows(kModel,
                  {Code().Swap(X, 1, kExclusive, kExclusive | kRelease).R(Y, acquire),
                   Code().Swap(Y, 1, kExclusive, kExclusive | kRelease).R(X, acquire)},
                  {{0, 1, 0}, {1, 1, 0}});
  };
  EXPECT_FALSE(sb(kExclusive | kAcquire));
  EXPECT_TRUE(sb(kExclusive | kAcquirePc));
  EXPECT_TRUE(sb(0));
}

TEST(HardwareModelRiscV, AnAmoIsOneOperation) {
  // Its store, too, is before what follows an acquire.
  auto sb = [](uint32_t read, uint32_t write) {
    return Allows(kModel,
                  {Code().Swap(X, 1, read, write).R(Y), Code().Swap(Y, 1, read, write).R(X)},
                  {{0, 1, 0}, {1, 1, 0}});
  };
  EXPECT_TRUE(sb(kAtomic, kAtomic));
  EXPECT_TRUE(sb(kAtomic, kRl));
  EXPECT_FALSE(sb(kAq, kAtomic));
  // Of a pair, only the load is.
  EXPECT_TRUE(sb(kExclusive | kAcquire, kExclusive));
  // 8: a pair is in order.
  EXPECT_FALSE(Allows(
      kModel,
      {Code().R(X).W(Y, 1).Data(0), Code().Swap(Y, 2, kExclusive, kExclusive).R(Y).W(X, 1).Data(2)},
      {{0, 0, 3}, {1, 0, 4}, {1, 1, 2}}));
}

TEST(HardwareModelRiscV, MultiCopyAtomic) {
  EXPECT_FALSE(Allows(
      kModel, {Code().W(X, 1), Code().W(Y, 1), Code().R(X).R(Y).Addr(0), Code().R(Y).R(X).Addr(0)},
      {{2, 0, 1}, {2, 1, 0}, {3, 0, 1}, {3, 1, 0}}));
}

} // namespace
