// heddle/choice/oldest_first_chooser.h: halves from the oldest store on.

#include "heddle/choice/oldest_first_chooser.h"

#include <gtest/gtest.h>

#include <vector>

namespace {
using namespace __heddle;

TEST(OldestFirstChooser, HalvesFromTheOldest) {
  DefaultChooser others;
  OldestFirstChooser chooser(1, others);
  constexpr int kDraws = 64000;
  std::vector<int> counts(4);
  for (int i = 0; i < kDraws; i++)
    counts[chooser.Choose(ChoiceKind::kRead, 4)]++;
  EXPECT_NEAR(counts[3], kDraws / 2, 700);
  EXPECT_NEAR(counts[2], kDraws / 4, 600);
  EXPECT_NEAR(counts[1], kDraws / 8, 500);
  EXPECT_NEAR(counts[0], kDraws / 8, 500); // what is left
}

TEST(OldestFirstChooser, AnswersAreOptions) {
  DefaultChooser others;
  OldestFirstChooser chooser(2, others);
  for (u32 options = 2; options < 200; options++)
    for (int i = 0; i < 100; i++)
      EXPECT_LT(chooser.Choose(ChoiceKind::kRead, options), options);
}

TEST(OldestFirstChooser, LeavesOtherKindsAlone) {
  struct Last final : Chooser {
    u32 Choose(ChoiceKind, u32 options) override { return options - 1; }
  } others;
  OldestFirstChooser chooser(3, others);
  for (ChoiceKind kind : {ChoiceKind::kThread, ChoiceKind::kWake, ChoiceKind::kValue})
    EXPECT_EQ(chooser.Choose(kind, 7), 6u);
}

TEST(OldestFirstChooser, SeedDecides) {
  DefaultChooser others;
  OldestFirstChooser a(4, others), b(4, others);
  for (int i = 0; i < 1000; i++)
    EXPECT_EQ(a.Choose(ChoiceKind::kRead, 5), b.Choose(ChoiceKind::kRead, 5));
}

} // namespace
