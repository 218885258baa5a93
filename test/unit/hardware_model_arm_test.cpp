// The models of AArch64 and of Armv7, on events made by hand: each rule with a test
// that it decides, and where the two differ.

#include "hardware_model_testing.h"

#include <gtest/gtest.h>

namespace {
using namespace heddle::litmus::hardware;

constexpr Architecture kV8 = Architecture::kAArch64, kV7 = Architecture::kArm;

// Message passing with this reader; the writer has a full barrier.
bool Mp(Architecture model, const Code &reader, int last = 1) {
  return Allows(model, {Code().W(X, 1).Full().W(Y, 1), reader}, {{1, 0, 1}, {1, last, 0}});
}

TEST(HardwareModelAArch64, MessagePassing) {
  EXPECT_TRUE(
      Allows(kV8, {Code().W(X, 1).W(Y, 1), Code().R(Y).Full().R(X)}, {{1, 0, 1}, {1, 1, 0}}));
  EXPECT_TRUE(Mp(kV8, Code().R(Y).R(X)));
  EXPECT_FALSE(Mp(kV8, Code().R(Y).Full().R(X)));
  EXPECT_FALSE(Mp(kV8, Code().R(Y).F(Fence::kArmLoad).R(X)));
  EXPECT_TRUE(Mp(kV8, Code().R(Y).F(Fence::kArmStore).R(X)));
  EXPECT_FALSE(Mp(kV8, Code().R(Y).R(X).Addr(0)));
  EXPECT_TRUE(Mp(kV8, Code().R(Y).R(X).Ctrl(0)));
  EXPECT_TRUE(Mp(kV8, Code().R(Y).F(Fence::kArmIsb).R(X)));
  EXPECT_FALSE(Mp(kV8, Code().R(Y).F(Fence::kArmIsb).Ctrl(0).R(X)));
  EXPECT_FALSE(Mp(kV8, Code().R(Y, kAcquire).R(X)));
  EXPECT_FALSE(Mp(kV8, Code().R(Y, kAcquirePc).R(X)));
  // Address dependency to an access, ISB behind it.
  EXPECT_FALSE(Mp(kV8, Code().R(Y).R(Z).Addr(0).F(Fence::kArmIsb).R(X), 2));
  EXPECT_TRUE(Mp(kV8, Code().R(Y).R(Z).Addr(0).R(X), 2));
  for (Fence fence : {Fence::kArmStore, Fence::kArmFull})
    EXPECT_FALSE(Allows(kV8, {Code().W(X, 1).F(fence).W(Y, 1), Code().R(Y).R(X).Addr(0)},
                        {{1, 0, 1}, {1, 1, 0}}));
  EXPECT_TRUE(Allows(kV8, {Code().W(X, 1).F(Fence::kArmLoad).W(Y, 1), Code().R(Y).R(X).Addr(0)},
                     {{1, 0, 1}, {1, 1, 0}}));
  EXPECT_FALSE(Allows(kV8, {Code().W(X, 1).W(Y, 1, kRelease), Code().R(Y).R(X).Addr(0)},
                      {{1, 0, 1}, {1, 1, 0}}));
}

TEST(HardwareModelAArch64, StoreForwarding) {
  // PPOCA: a read that is forwarded from a write under a branch does not wait for it.
  EXPECT_TRUE(Mp(kV8, Code().R(Y).W(Z, 1).Ctrl(0).R(Z).R(X).Addr(2), 2));
  // PPOAA: it waits for the address.
  EXPECT_FALSE(Mp(kV8, Code().R(Y).W(Z, 1).Addr(0).R(Z).R(X).Addr(2), 2));
  // MP+dmb.sy+data-rfi-addr
  EXPECT_FALSE(Mp(kV8, Code().R(Y).W(Z, 1).Data(0).R(Z).R(X).Addr(2), 2));
  // MP+dmb.sy+fri-rfi-ctrlisb
  Code reader = Code().R(Y).W(Y, 2).R(Y).F(Fence::kArmIsb).Ctrl(2).R(X);
  for (Architecture model : {kV8, kV7})
    EXPECT_TRUE(Allows(model, {Code().W(X, 1).Full().W(Y, 1), reader},
                       {{1, 0, 1}, {1, 1, 2}, {1, 2, 0}, {-1, Y, 2}}));
}

TEST(HardwareModelAArch64, LoadBuffering) {
  auto lb = [](const Code &a, const Code &b) {
    return Allows(kV8, {a, b}, {{0, 0, 1}, {1, 0, 1}});
  };
  Code plain_x = Code().R(X).W(Y, 1), plain_y = Code().R(Y).W(X, 1);
  EXPECT_TRUE(lb(plain_x, plain_y));
  EXPECT_TRUE(lb(plain_x, Code().R(Y).W(X, 1).Ctrl(0)));
  EXPECT_FALSE(lb(Code().R(X).W(Y, 1).Ctrl(0), Code().R(Y).W(X, 1).Ctrl(0)));
  EXPECT_FALSE(lb(Code().R(X).W(Y, 1).Addr(0), Code().R(Y).Full().W(X, 1)));
  EXPECT_FALSE(lb(Code().R(X).W(Y, 1, kRelease), Code().R(Y, kAcquire).W(X, 1)));
  // addr;po to a write, not to a read.
  EXPECT_FALSE(lb(Code().R(X).R(Z).Addr(0).W(Y, 1), Code().R(Y).R(Z).Addr(0).W(X, 1)));
  // Out of thin air.
  EXPECT_FALSE(lb(Code().R(X).W(Y, 0).Data(0), Code().R(Y).W(X, 0).Data(0)));
}

TEST(HardwareModelAArch64, StoreBuffering) {
  auto sb = [](const Code &a, const Code &b, int last = 0) {
    return Allows(kV8, {a, b}, {{0, last, 0}, {1, last, 0}});
  };
  EXPECT_TRUE(sb(Code().W(X, 1).R(Y), Code().W(Y, 1).R(X)));
  EXPECT_FALSE(sb(Code().W(X, 1).Full().R(Y), Code().W(Y, 1).Full().R(X)));
  EXPECT_TRUE(sb(Code().W(X, 1).F(Fence::kArmLoad).R(Y), Code().W(Y, 1).F(Fence::kArmLoad).R(X)));
  EXPECT_TRUE(sb(Code().W(X, 1).F(Fence::kArmStore).R(Y), Code().W(Y, 1).F(Fence::kArmStore).R(X)));
  // What follows a dsb st waits for it, loads as well.
  EXPECT_FALSE(
      sb(Code().W(X, 1).F(Fence::kArmStoreDsb).R(Y), Code().W(Y, 1).F(Fence::kArmStoreDsb).R(X)));
  EXPECT_TRUE(Mp(kV8, Code().R(Y).F(Fence::kArmStoreDsb).R(X)));
  EXPECT_TRUE(Allows(
      kV7, {Code().W(X, 1).F(Fence::kArmStoreDsb).R(Y), Code().W(Y, 1).F(Fence::kArmStoreDsb).R(X)},
      {{0, 0, 0}, {1, 0, 0}}));
  // stlr; ldar is ordered, stlr; ldapr is not.
  EXPECT_FALSE(
      sb(Code().W(X, 1, kRelease).R(Y, kAcquire), Code().W(Y, 1, kRelease).R(X, kAcquire)));
  EXPECT_TRUE(
      sb(Code().W(X, 1, kRelease).R(Y, kAcquirePc), Code().W(Y, 1, kRelease).R(X, kAcquirePc)));
  EXPECT_TRUE(sb(Code().W(X, 1, kRelease).R(Y), Code().W(Y, 1, kRelease).R(X)));
  // An atomic instruction with acquire and release between is a full barrier; so is
  // its own write. A pair of exclusives is not.
  auto between = [](uint32_t read, uint32_t write) {
    return Allows(kV8, {Code().W(X, 1).Swap(Z, 1, read, write).R(Y), Code().W(Y, 1).Full().R(X)},
                  {{0, 1, 0}, {1, 0, 0}});
  };
  EXPECT_FALSE(between(kAtomic | kAcquire, kAtomic | kRelease));
  EXPECT_TRUE(between(kAtomic | kAcquire, kAtomic));
  EXPECT_TRUE(between(kAtomic, kAtomic | kRelease));
  EXPECT_TRUE(between(kExclusive | kAcquire, kExclusive | kRelease));
  // Without a result there is no acquire, hence no barrier.
  EXPECT_TRUE(between(kAtomic | kAcquire | kNoReturn, kAtomic | kRelease));
  uint32_t acquire = kAtomic | kAcquire, release = kAtomic | kRelease;
  EXPECT_FALSE(
      sb(Code().Swap(X, 1, acquire, release).R(Y), Code().Swap(Y, 1, acquire, release).R(X), 1));
}

TEST(HardwareModelAArch64, AtomicsWithoutResult) {
  auto reader = [](uint32_t flags) {
    return Code().Increment(Y, 0, flags, kAtomic).F(Fence::kArmLoad).R(X);
  };
  EXPECT_FALSE(Mp(kV8, reader(kAtomic)));
  EXPECT_TRUE(Mp(kV8, reader(kAtomic | kNoReturn)));
  EXPECT_FALSE(Mp(kV8, Code().Increment(Y, 0, kAtomic | kAcquire).R(X)));
  EXPECT_TRUE(Mp(kV8, Code().Increment(Y, 0, kAtomic | kAcquire | kNoReturn).R(X)));
}

TEST(HardwareModelAArch64, AtomicOrderedBefore) {
  // An acquire load that is forwarded from an atomic's write waits for its read.
  auto reader = [](uint32_t flags) { return Code().Swap(Y, 2).R(Y, flags).R(X).Addr(2); };
  auto mp = [&](uint32_t flags) {
    return Allows(kV8, {Code().W(X, 1).Full().W(Y, 1), reader(flags)},
                  {{1, 0, 1}, {1, 1, 2}, {1, 2, 0}});
  };
  EXPECT_FALSE(mp(kAcquire));
  EXPECT_FALSE(mp(kAcquirePc));
  EXPECT_TRUE(mp(0));
}

TEST(HardwareModelAArch64, LocalWriteSuccessor) {
  // S with a release store that is overwritten by a plain one of the same thread:
  // po; [L]; coi of POPL 2018.
  EXPECT_FALSE(Allows(kV8, {Code().W(X, 1).W(Y, 1, kRelease).W(Y, 2), Code().R(Y).R(X).Addr(0)},
                      {{1, 0, 2}, {1, 1, 0}}));
  EXPECT_TRUE(Allows(kV8, {Code().W(X, 1).W(Y, 1).W(Y, 2), Code().R(Y).R(X).Addr(0)},
                     {{1, 0, 2}, {1, 1, 0}}));
}

// What a processor that is multi-copy atomic forbids.
TEST(HardwareModelArm, MultiCopyAtomicity) {
  std::vector<Code> iriw = {Code().W(X, 1), Code().W(Y, 1), Code().R(X).R(Y).Addr(0),
                            Code().R(Y).R(X).Addr(0)};
  std::vector<Final> disagree = {{2, 0, 1}, {2, 1, 0}, {3, 0, 1}, {3, 1, 0}};
  EXPECT_FALSE(Allows(kV8, iriw, disagree));
  EXPECT_TRUE(Allows(kV7, iriw, disagree));
  iriw[2] = Code().R(X).Full().R(Y);
  EXPECT_TRUE(Allows(kV7, iriw, disagree));
  iriw[3] = Code().R(Y).Full().R(X);
  EXPECT_FALSE(Allows(kV7, iriw, disagree));
  EXPECT_FALSE(Allows(kV8, iriw, disagree));

  std::vector<Code> wrc = {Code().W(X, 1), Code().R(X).W(Y, 1).Addr(0), Code().R(Y).R(X).Addr(0)};
  std::vector<Final> unseen = {{1, 0, 1}, {2, 0, 1}, {2, 1, 0}};
  EXPECT_FALSE(Allows(kV8, wrc, unseen));
  EXPECT_TRUE(Allows(kV7, wrc, unseen));
  // One full barrier in the middle is enough: it is cumulative.
  wrc[1] = Code().R(X).Full().W(Y, 1);
  EXPECT_FALSE(Allows(kV7, wrc, unseen));
  wrc[1] = Code().R(X).F(Fence::kArmStore).W(Y, 1);
  EXPECT_TRUE(Allows(kV7, wrc, unseen));
}

TEST(HardwareModelArm, CodeWithAcquireIsForArmv8) {
  std::vector<Code> iriw = {Code().W(X, 1), Code().W(Y, 1), Code().R(X, kAcquire).R(Y),
                            Code().R(Y, kAcquire).R(X)};
  EXPECT_FALSE(Allows(kV7, iriw, {{2, 0, 1}, {2, 1, 0}, {3, 0, 1}, {3, 1, 0}}));
}

TEST(HardwareModelArmv7, MessagePassing) {
  EXPECT_TRUE(Mp(kV7, Code().R(Y).R(X)));
  EXPECT_FALSE(Mp(kV7, Code().R(Y).Full().R(X)));
  EXPECT_FALSE(Mp(kV7, Code().R(Y).R(X).Addr(0)));
  EXPECT_TRUE(Mp(kV7, Code().R(Y).R(X).Ctrl(0)));
  EXPECT_FALSE(Mp(kV7, Code().R(Y).F(Fence::kArmIsb).Ctrl(0).R(X)));
  EXPECT_TRUE(Mp(kV7, Code().R(Y).F(Fence::kArmStore).R(X)));
  EXPECT_FALSE(Allows(kV7, {Code().W(X, 1).F(Fence::kArmStore).W(Y, 1), Code().R(Y).R(X).Addr(0)},
                      {{1, 0, 1}, {1, 1, 0}}));
  // PPOCA and PPOAA, as for Armv8.
  EXPECT_TRUE(Mp(kV7, Code().R(Y).W(Z, 1).Ctrl(0).R(Z).R(X).Addr(2), 2));
  EXPECT_FALSE(Mp(kV7, Code().R(Y).W(Z, 1).Addr(0).R(Z).R(X).Addr(2), 2));
}

TEST(HardwareModelArmv7, ReadsOfDifferentWrites) {
  // RDW: a pair of reads of different writes between two dependencies orders them;
  // RSW: of the same write it does not.
  std::vector<Code> threads = {Code().W(Z, 1).Full().W(Y, 1),
                               Code().R(Y).R(X).Addr(0).R(X).R(Z).Addr(2), Code().W(X, 1)};
  EXPECT_FALSE(Allows(kV7, threads, {{1, 0, 1}, {1, 1, 0}, {1, 2, 1}, {1, 3, 0}}));
  EXPECT_TRUE(Allows(kV7, threads, {{1, 0, 1}, {1, 1, 0}, {1, 2, 0}, {1, 3, 0}}));
}

TEST(HardwareModelArmv7, FencesAreNeededOnBothSides) {
  auto sb = [](bool a, bool b) {
    Code first = Code().W(X, 1), second = Code().W(Y, 1);
    (a ? first.Full() : first).R(Y);
    (b ? second.Full() : second).R(X);
    return Allows(kV7, {first, second}, {{0, 0, 0}, {1, 0, 0}});
  };
  auto r = [](bool a, bool b) {
    Code first = Code().W(X, 1), second = Code().W(Y, 2);
    (a ? first.Full() : first).W(Y, 1);
    (b ? second.Full() : second).R(X);
    return Allows(kV7, {first, second}, {{1, 0, 0}, {-1, Y, 2}});
  };
  auto two_plus_two = [](bool a, bool b) {
    Code first = Code().W(X, 2), second = Code().W(Y, 2);
    (a ? first.Full() : first).W(Y, 1);
    (b ? second.Full() : second).W(X, 1);
    return Allows(kV7, {first, second}, {{-1, X, 2}, {-1, Y, 2}});
  };
  auto lb = [](bool a, bool b) {
    Code first = Code().R(X), second = Code().R(Y);
    (a ? first.Full() : first).W(Y, 1);
    (b ? second.Full() : second).W(X, 1);
    return Allows(kV7, {first, second}, {{0, 0, 1}, {1, 0, 1}});
  };
  EXPECT_TRUE(sb(true, false));
  EXPECT_FALSE(sb(true, true));
  EXPECT_TRUE(r(true, false));
  EXPECT_TRUE(r(false, true));
  EXPECT_FALSE(r(true, true));
  EXPECT_TRUE(two_plus_two(true, false));
  EXPECT_FALSE(two_plus_two(true, true));
  EXPECT_TRUE(lb(true, false));
  EXPECT_FALSE(lb(true, true));
}

} // namespace
