// heddle/choice/replayer.h: the same answers, each way to diverge, each mode.

#include "heddle/choice/replayer.h"

#include "heddle/choice/uniform_chooser.h"

#include "choice_testing.h"

#include <gtest/gtest.h>

#include <vector>

namespace {
using namespace __heddle;
using namespace testing_choice;
using AtEnd = Replayer::AtEnd;
using OnDivergence = Replayer::OnDivergence;

constexpr auto T = ChoiceKind::kThread;
constexpr auto R = ChoiceKind::kRead;

// Answers as no default and no log does.
class LastOption final : public Chooser {
public:
  u32 Choose(ChoiceKind, u32 options) override {
    asked++;
    return options - 1;
  }
  u32 asked = 0;
};

class ReplayerTest : public testing::Test {
protected:
  ReplayerTest() { Fill(log, {{T, 3, 2}, {R, 2, 0}, {R, 2, 0}, {T, 4, 1}}); }

  static void Handle(void *argument, const Divergence &divergence) {
    static_cast<ReplayerTest *>(argument)->handled.push_back(divergence);
  }

  Replayer::Settings Mode(AtEnd at_end, OnDivergence on_divergence, Chooser *chooser = nullptr) {
    return {at_end, on_divergence, chooser, Handle, this};
  }

  void Follow(Replayer &replayer) {
    EXPECT_EQ(replayer.Choose(T, 3), 2u);
    EXPECT_EQ(replayer.Choose(R, 2), 0u);
    EXPECT_EQ(replayer.Choose(R, 2), 0u);
    EXPECT_EQ(replayer.Choose(T, 4), 1u);
  }

  void ExpectDiverged(const Replayer &replayer, u64 index, Question expected, Question asked) {
    ASSERT_TRUE(replayer.Diverged());
    EXPECT_EQ(replayer.Where().index, index);
    EXPECT_TRUE(replayer.Where().expected == expected);
    EXPECT_TRUE(replayer.Where().asked == asked);
    ASSERT_EQ(handled.size(), 1u); // once, and only the first
    EXPECT_EQ(handled[0].index, index);
  }

  Log log;
  LastOption other;
  std::vector<Divergence> handled;
};

TEST_F(ReplayerTest, RepeatsALog) {
  Replayer replayer(log.View(), Mode(AtEnd::kDiverge, OnDivergence::kStop));
  Follow(replayer);
  replayer.Finish();
  EXPECT_FALSE(replayer.Diverged());
  EXPECT_EQ(replayer.Replayed(), 4u);
  EXPECT_TRUE(handled.empty());
}

TEST_F(ReplayerTest, NeedsNoHandler) {
  Replayer replayer(log.View(), {});
  replayer.Choose(R, 3);
  EXPECT_TRUE(replayer.Diverged());
}

TEST_F(ReplayerTest, OtherKind) {
  Replayer replayer(log.View(), Mode(AtEnd::kDiverge, OnDivergence::kStop));
  replayer.Choose(T, 3);
  EXPECT_EQ(replayer.Choose(T, 2), 0u);
  ExpectDiverged(replayer, 1, {R, 2}, {T, 2});
}

TEST_F(ReplayerTest, OtherNumberOfOptions) {
  Replayer replayer(log.View(), Mode(AtEnd::kDiverge, OnDivergence::kStop));
  EXPECT_EQ(replayer.Choose(T, 4), 0u);
  ExpectDiverged(replayer, 0, {T, 3}, {T, 4});
}

TEST_F(ReplayerTest, TheLogEnds) {
  Replayer replayer(log.View(), Mode(AtEnd::kDiverge, OnDivergence::kStop, &other));
  Follow(replayer);
  EXPECT_EQ(replayer.Choose(R, 7), 0u);
  ExpectDiverged(replayer, 4, kTheEnd, {R, 7});
  EXPECT_EQ(other.asked, 0u);
}

TEST_F(ReplayerTest, TheRunEnds) {
  for (AtEnd at_end : {AtEnd::kDiverge, AtEnd::kGoOn}) {
    handled.clear();
    Replayer replayer(log.View(), Mode(at_end, OnDivergence::kStop));
    replayer.Choose(T, 3);
    replayer.Finish();
    ExpectDiverged(replayer, 1, {R, 2}, kTheEnd);
  }
}

TEST_F(ReplayerTest, StoppedItAnswersDefaults) {
  Replayer replayer(log.View(), Mode(AtEnd::kDiverge, OnDivergence::kStop, &other));
  replayer.Choose(R, 3);
  // The log's first questions, as if nothing had happened: it is not taken up.
  EXPECT_EQ(replayer.Choose(T, 3), 0u);
  EXPECT_EQ(replayer.Choose(R, 2), 0u);
  EXPECT_EQ(replayer.Replayed(), 0u);
  replayer.Finish();
  ExpectDiverged(replayer, 0, {T, 3}, {R, 3});
  EXPECT_EQ(other.asked, 0u);
}

TEST_F(ReplayerTest, AfterADivergenceAnotherGoesOn) {
  Replayer replayer(log.View(), Mode(AtEnd::kDiverge, OnDivergence::kGoOn, &other));
  EXPECT_EQ(replayer.Choose(T, 3), 2u);
  EXPECT_EQ(replayer.Choose(R, 9), 8u);
  EXPECT_EQ(replayer.Choose(R, 2), 1u);
  replayer.Finish();
  ExpectDiverged(replayer, 1, {R, 2}, {R, 9});
}

TEST_F(ReplayerTest, AfterADivergenceDefaultsGoOn) {
  Replayer replayer(log.View(), Mode(AtEnd::kGoOn, OnDivergence::kGoOn));
  EXPECT_EQ(replayer.Choose(T, 9), 0u);
  EXPECT_EQ(replayer.Choose(T, 3), 0u);
  ExpectDiverged(replayer, 0, {T, 3}, {T, 9});
}

TEST_F(ReplayerTest, TheEndIsADivergenceAndAnotherGoesOn) {
  Replayer replayer(log.View(), Mode(AtEnd::kDiverge, OnDivergence::kGoOn, &other));
  Follow(replayer);
  EXPECT_EQ(replayer.Choose(T, 5), 4u);
  ExpectDiverged(replayer, 4, kTheEnd, {T, 5});
}

TEST_F(ReplayerTest, PrefixThenDefaults) {
  Replayer replayer(log.View(), Mode(AtEnd::kGoOn, OnDivergence::kStop));
  Follow(replayer);
  EXPECT_EQ(replayer.Choose(T, 5), 0u);
  EXPECT_EQ(replayer.Choose(R, 2), 0u);
  replayer.Finish();
  EXPECT_FALSE(replayer.Diverged());
  EXPECT_EQ(replayer.Replayed(), 4u);
}

TEST_F(ReplayerTest, PrefixThenAnother) {
  Replayer replayer(log.View(), Mode(AtEnd::kGoOn, OnDivergence::kStop, &other));
  Follow(replayer);
  EXPECT_EQ(replayer.Choose(T, 5), 4u);
  EXPECT_EQ(other.asked, 1u);
  replayer.Finish();
  EXPECT_FALSE(replayer.Diverged());
}

TEST_F(ReplayerTest, ResumesAtTheNextSuchQuestion) {
  Replayer replayer(log.View(), Mode(AtEnd::kGoOn, OnDivergence::kResume, &other));
  EXPECT_EQ(replayer.Choose(T, 3), 2u);
  EXPECT_EQ(replayer.Choose(T, 4), 1u); // the reads are skipped
  ExpectDiverged(replayer, 1, {R, 2}, {T, 4});
  EXPECT_EQ(replayer.Choose(R, 2), 1u); // the log has ended
  replayer.Finish();
  EXPECT_EQ(replayer.Replayed(), 2u);
}

TEST_F(ReplayerTest, ResumesInTheMiddleOfARun) {
  Replayer replayer(log.View(), Mode(AtEnd::kGoOn, OnDivergence::kResume, &other));
  EXPECT_EQ(replayer.Choose(R, 2), 0u);
  EXPECT_EQ(replayer.Choose(R, 2), 0u);
  EXPECT_EQ(replayer.Choose(T, 4), 1u);
  replayer.Finish();
  ExpectDiverged(replayer, 0, {T, 3}, {R, 2});
  EXPECT_EQ(other.asked, 0u);
}

TEST_F(ReplayerTest, ResumingItKeepsTheFirstDivergence) {
  Replayer replayer(log.View(), Mode(AtEnd::kDiverge, OnDivergence::kResume, &other));
  EXPECT_EQ(replayer.Choose(R, 2), 0u);
  EXPECT_EQ(replayer.Choose(T, 4), 1u); // the second
  EXPECT_EQ(replayer.Choose(R, 2), 1u); // the third: the end
  ExpectDiverged(replayer, 0, {T, 3}, {R, 2});
}

TEST_F(ReplayerTest, TheLogWaitsForAQuestionItLacks) {
  Replayer replayer(log.View(), Mode(AtEnd::kDiverge, OnDivergence::kResume, &other));
  EXPECT_EQ(replayer.Choose(ChoiceKind::kWake, 5), 4u);
  Follow(replayer);
  ExpectDiverged(replayer, 0, {T, 3}, {ChoiceKind::kWake, 5});
  replayer.Finish();
  EXPECT_EQ(replayer.Replayed(), 4u);
}

TEST_F(ReplayerTest, ResumesNearbyOnly) {
  Choices choices;
  for (u32 i = 0; i < 100; i++)
    choices.push_back({R, 3, i % 2});
  choices.push_back({T, 3, 2});
  Fill(log, choices);
  Replayer replayer(log.View(), Mode(AtEnd::kGoOn, OnDivergence::kResume));
  EXPECT_EQ(replayer.Choose(T, 3), 0u); // too far
  for (u32 i = 0; i < 90; i++)
    EXPECT_EQ(replayer.Choose(R, 3), i % 2);
  EXPECT_EQ(replayer.Choose(T, 3), 2u);
}

// A thousand defaults in a row are one step.
TEST_F(ReplayerTest, ResumesBehindALongRun) {
  Choices choices(1000, {R, 3, 0});
  choices.push_back({T, 3, 2});
  Fill(log, choices);
  Replayer replayer(log.View(), Mode(AtEnd::kGoOn, OnDivergence::kResume));
  EXPECT_EQ(replayer.Choose(T, 3), 2u);
}

TEST_F(ReplayerTest, EmptyLog) {
  Log empty;
  Replayer strict(empty.View(), Mode(AtEnd::kDiverge, OnDivergence::kStop));
  strict.Finish();
  EXPECT_FALSE(strict.Diverged());
  Replayer prefix(empty.View(), Mode(AtEnd::kGoOn, OnDivergence::kStop, &other));
  EXPECT_EQ(prefix.Choose(T, 5), 4u);
  EXPECT_FALSE(prefix.Diverged());
}

// Random programs: a replay makes the same run and the same log.
TEST(ReplayerProperty, ReplaysRandomPrograms) {
  for (u64 seed = 0; seed < 2000; seed++) {
    RandomTree program(seed, 60, 9);
    Log log, again;
    UniformChooser chooser(seed);
    LogRecorder<CountingMemory> recorder(log), second(again);
    ChoiceStream stream(chooser, &recorder);
    std::vector<u32> path = program.Run(stream);
    Replayer replayer(log.View(), {});
    ChoiceStream replay(replayer, &second);
    ASSERT_EQ(program.Run(replay), path);
    replayer.Finish();
    ASSERT_FALSE(replayer.Diverged());
    ASSERT_TRUE(again == log);
  }
}

// Where another program is replayed, the divergence is the first difference of
// what the two ask.
TEST(ReplayerProperty, FindsTheFirstDifference) {
  int diverged = 0;
  for (u64 seed = 0; seed < 2000; seed++) {
    RandomTree program(seed, 20, 3), other(seed + 1, 20, 3);
    Log log;
    UniformChooser chooser(seed);
    LogRecorder<CountingMemory> recorder(log);
    ChoiceStream stream(chooser, &recorder);
    std::vector<u32> path = program.Run(stream), common;
    Replayer replayer(log.View(), {});
    ChoiceStream replay(replayer);
    other.Run(replay);
    replayer.Finish();
    for (;;) {
      ChoiceKind kind = T, other_kind = T;
      u32 options = 0, other_options = 0;
      bool asks = program.Asks(common, kind, options);
      bool other_asks = other.Asks(common, other_kind, other_options);
      if (!asks && !other_asks) {
        ASSERT_FALSE(replayer.Diverged());
        break;
      }
      if (kind != other_kind || options != other_options) {
        ASSERT_TRUE(replayer.Diverged());
        ASSERT_EQ(replayer.Where().index, common.size());
        ASSERT_TRUE(replayer.Where().expected == (Question{kind, options}));
        ASSERT_TRUE(replayer.Where().asked == (Question{other_kind, other_options}));
        diverged++;
        break;
      }
      common.push_back(path[common.size()]);
    }
  }
  EXPECT_GT(diverged, 1000);
}

} // namespace
