// What execution does with any instruction set: paths, loops, limits.

#include "hardware_testing.h"

#include <gtest/gtest.h>

namespace {
using namespace heddle::litmus;
using namespace heddle::litmus::hardware;

Lines Traces(const Lines &lines, const Values &values, Lines observed = {"w0"}) {
  Image image = MakeImage(Architecture::kAArch64, lines);
  return Describe(Execute(
      image, MakeEntry(image, {{"x1", kX}, {"x3", kY}, {"x5", kZ}}, std::move(observed)), values));
}

TEST(HardwareChoices, AreTakenInTurn) {
  Choices choices;
  std::vector<std::pair<int, int>> seen;
  do {
    int first = choices.Choose(2);
    seen.push_back({first, first ? choices.Choose(3) : -1});
  } while (choices.Next());
  EXPECT_EQ(seen, (std::vector<std::pair<int, int>>{{0, -1}, {1, 0}, {1, 1}, {1, 2}}));
}

TEST(HardwareExecute, ASpinLoopIsCutWhenItComesBack) {
  // What it has read is dead there.
  EXPECT_EQ(Traces({"mov w0, #9", "again:", "ldr w0, [x1]", "cbz w0, again"}, {{0, 1}, {}, {}}),
            (Lines{"Rx=1 -> 1"}));
  EXPECT_EQ(Traces({"again:", "ldr w0, [x1]", "cmp w0, #1", "b.ne again"}, {{0, 1, 2}, {}, {}}),
            (Lines{"Rx=1 -> 1"}));
}

TEST(HardwareExecute, ALoopThatRemembersWhatItReadIsFollowed) {
  // The sum tells how often it has read 2.
  EXPECT_EQ(
      Traces({"mov w0, #0", "again:", "ldr w2, [x1]", "add w0, w0, w2", "cmp w0, #4", "b.lo again"},
             {{2, 4}, {}, {}}),
      (Lines{"Rx=2 Rx=2 ctrl(0,1) -> 4", "Rx=2 Rx=4 ctrl(0,1) -> 6", "Rx=4 -> 4"}));
}

TEST(HardwareExecute, ASwapThatFailsFindsWhatTheLoadBeforeTheLoopCouldHaveFound) {
  // The load is plain, the exclusive one orders more.
  EXPECT_EQ(Traces({"ldr w0, [x1]", "again:", "ldaxr w2, [x1]", "cmp w2, w0", "b.ne retry",
                    "stlxr w4, w3, [x1]", "cbnz w4, again", "b done", "retry:", "mov w0, w2",
                    "b again", "done:", "nop"},
                   {{0, 1, 2}, {}, {}})
                .size(),
            3u);
  // A plain load in the loop does not stand for an acquire before it: two more rounds are
  // followed for each value, and none after that.
  EXPECT_EQ(
      Traces({"ldar w0, [x1]", "again:", "ldr w2, [x1]", "cmp w2, w0", "mov w0, w2", "b.ne again"},
             {{0, 1}, {}, {}})
          .size(),
      6u);
}

TEST(HardwareExecute, ALoopThatWritesIsNotCut) {
  EXPECT_EQ(Traces({"mov w2, #3", "again:", "str w2, [x1]", "sub w2, w2, #1", "cbnz w2, again"},
                   {{}, {}, {}}),
            (Lines{"Wx=3 Wx=2 Wx=1 -> 0"}));
  EXPECT_THROW(Traces({"again:", "str w0, [x1]", "b again"}, {{}, {}, {}}), std::runtime_error);
}

TEST(HardwareExecute, ALoopThatForgetsADependencyIsFollowed) {
  // In the second round w7 is 0 as before, but no longer what was read: the path
  // without the dependency allows more.
  EXPECT_EQ(Traces({"ldr w7, [x3]", "b start", "again:", "mov w7, #0", "start:", "ldr w0, [x1]",
                    "cbz w0, again", "str w7, [x5]"},
                   {{0, 1}, {0}, {}}),
            (Lines{"Ry=0 Rx=0 Rx=1 Wz=0 ctrl(1,2) ctrl(1,3) ctrl(2,3) -> 1",
                   "Ry=0 Rx=1 Wz=0 data(0,2) ctrl(1,2) -> 1"}));
}

TEST(HardwareExecute, AnEndlessLoopThatChangesIsAnError) {
  try {
    Image image = MakeImage(Architecture::kAArch64, {"P7:", "add x0, x0, #1", "b P7"});
    Execute(image, MakeEntry(image, {}), Values(3));
    FAIL();
  } catch (const std::runtime_error &error) {
    std::string what = error.what();
    EXPECT_NE(what.find("P7: "), std::string::npos) << what;
    EXPECT_NE(what.find("'"), std::string::npos) << what;
  }
  EXPECT_TRUE(Traces({"again:", "b again"}, Values(3)).empty());
}

TEST(HardwareExecute, RefusesJumpsToNowhere) {
  EXPECT_THROW(Traces({"br x9"}, Values(3)), std::runtime_error);
}

TEST(HardwareExecute, RefusesResultsOfSeveralThreads) {
  Image image = MakeImage(Architecture::kAArch64, {"ret"});
  image.variables.push_back({0x30020, -1, 0});
  Entry entry = MakeEntry(image, {});
  entry.end = 0;
  EXPECT_THROW(Execute(image, entry, Values(3)), std::runtime_error);
}

TEST(HardwareExecute, RefusesUnknownRegisters) {
  Image image = MakeImage(Architecture::kAArch64, {"ret"});
  EXPECT_THROW(Execute(image, MakeEntry(image, {{"r77", 1}}), Values(3)), UnknownInstruction);
  EXPECT_THROW(Execute(image, MakeEntry(image, {}, {"q0"}), Values(3)), UnknownInstruction);
}

} // namespace
