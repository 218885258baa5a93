// heddle/choice/choice_stream.h: what is asked, counted and recorded.

#include "heddle/choice/choice_stream.h"

#include "choice_testing.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

namespace {
using namespace __heddle;
using namespace testing_choice;

class Script final : public Chooser {
public:
  explicit Script(std::vector<u32> answers) : answers_(std::move(answers)) {}

  u32 Choose(ChoiceKind kind, u32 options) override {
    asked.push_back({kind, options});
    return answers_[asked.size() - 1];
  }

  std::vector<std::pair<ChoiceKind, u32>> asked;

private:
  std::vector<u32> answers_;
};

class Listener final : public ChoiceRecorder {
public:
  void Record(Choice choice) override { choices.push_back(choice); }
  Choices choices;
};

TEST(ChoiceStream, AsksCountsAndRecords) {
  Script script({2, 0, 1});
  Listener listener;
  ChoiceStream stream(script, &listener);
  EXPECT_EQ(stream.Choose(ChoiceKind::kThread, 3), 2u);
  EXPECT_EQ(stream.Choose(ChoiceKind::kRead, 2), 0u);
  EXPECT_EQ(stream.Choose(ChoiceKind::kThread, 4), 1u);
  Choices expected = {
      {ChoiceKind::kThread, 3, 2}, {ChoiceKind::kRead, 2, 0}, {ChoiceKind::kThread, 4, 1}};
  EXPECT_EQ(listener.choices, expected);
  EXPECT_EQ(stream.Count(), 3u);
  EXPECT_EQ(stream.Count(ChoiceKind::kThread), 2u);
  EXPECT_EQ(stream.Count(ChoiceKind::kRead), 1u);
  EXPECT_EQ(stream.Count(ChoiceKind::kValue), 0u);
}

TEST(ChoiceStream, OneOptionIsNotAChoice) {
  Script script({});
  Listener listener;
  ChoiceStream stream(script, &listener);
  for (ChoiceKind kind : kKinds)
    EXPECT_EQ(stream.Choose(kind, 1), 0u);
  EXPECT_TRUE(script.asked.empty());
  EXPECT_TRUE(listener.choices.empty());
  EXPECT_EQ(stream.Count(), 0u);
}

TEST(ChoiceStream, NeedsNoRecorder) {
  Script script({1});
  ChoiceStream stream(script);
  EXPECT_EQ(stream.Choose(ChoiceKind::kValue, 2), 1u);
  EXPECT_EQ(stream.Count(), 1u);
}

TEST(ChoiceStream, LargestNumberOfOptions) {
  Script script({~0u - 1});
  ChoiceStream stream(script);
  EXPECT_EQ(stream.Choose(ChoiceKind::kValue, ~0u), ~0u - 1);
}

TEST(ChoiceStream, DefaultChooserTakesThePlainOption) {
  DefaultChooser chooser;
  ChoiceStream stream(chooser);
  for (ChoiceKind kind : kKinds)
    for (u32 options = 1; options < 10; options++)
      EXPECT_EQ(stream.Choose(kind, options), kDefaultAnswer);
}

TEST(ChoiceStream, KindsHaveLettersAndNamesOfTheirOwn) {
  std::set<char> letters;
  std::set<std::string> names;
  for (ChoiceKind kind : kKinds) {
    letters.insert(LetterOf(kind));
    names.insert(NameOf(kind));
  }
  EXPECT_EQ(std::size(kKinds), kChoiceKinds);
  EXPECT_EQ(letters.size(), kChoiceKinds);
  EXPECT_EQ(names.size(), kChoiceKinds);
}

TEST(ChoiceStreamDeathTest, AnswerThatIsNoOption) {
  Script script({3, 0});
  ChoiceStream stream(script);
  EXPECT_DEATH(stream.Choose(ChoiceKind::kThread, 3), "");
}

TEST(ChoiceStreamDeathTest, NoOptionAtAll) {
  DefaultChooser chooser;
  ChoiceStream stream(chooser);
  EXPECT_DEATH(stream.Choose(ChoiceKind::kThread, 0), "");
}

} // namespace
