// heddle/choice/uniform_chooser.h: uniform, repeatable, a stream per kind.

#include "heddle/choice/uniform_chooser.h"

#include "choice_testing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {
using namespace __heddle;
using namespace testing_choice;

TEST(UniformChooser, AnswersAreOptions) {
  UniformChooser chooser(1);
  for (u32 options = 2; options < 100; options++)
    for (ChoiceKind kind : kKinds)
      EXPECT_LT(chooser.Choose(kind, options), options);
}

TEST(UniformChooser, EveryOptionIsAsLikely) {
  UniformChooser chooser(2);
  for (ChoiceKind kind : kKinds) {
    constexpr int kDraws = 60000;
    std::vector<int> counts(6);
    for (int i = 0; i < kDraws; i++)
      counts[chooser.Choose(kind, 6)]++;
    for (int count : counts)
      EXPECT_LT(std::abs(count - kDraws / 6), 4.5 * std::sqrt(kDraws * 5.0 / 36));
  }
}

TEST(UniformChooser, SeedDecides) {
  UniformChooser a(3), same(3), b(4);
  int differences = 0;
  for (int i = 0; i < 1000; i++) {
    u32 answer = a.Choose(ChoiceKind::kThread, 10);
    EXPECT_EQ(same.Choose(ChoiceKind::kThread, 10), answer);
    differences += b.Choose(ChoiceKind::kThread, 10) != answer;
  }
  EXPECT_GT(differences, 800);
}

TEST(UniformChooser, KindsAnswerDifferently) {
  for (ChoiceKind a : kKinds) {
    for (ChoiceKind b : kKinds) {
      UniformChooser chooser(6);
      int agreements = 0;
      for (int i = 0; i < 1000; i++)
        agreements += chooser.Choose(a, 10) == chooser.Choose(b, 10);
      EXPECT_LT(agreements, 200);
    }
  }
}

TEST(UniformChooser, KindsDoNotDisturbEachOther) {
  UniformChooser with_reads(5), without(5);
  for (int i = 0; i < 1000; i++) {
    for (int j = 0; j < i % 7; j++)
      with_reads.Choose(ChoiceKind::kRead, 3);
    EXPECT_EQ(with_reads.Choose(ChoiceKind::kThread, 4), without.Choose(ChoiceKind::kThread, 4));
  }
}

} // namespace
