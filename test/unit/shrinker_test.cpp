// heddle/choice/shrinker.h: planted failures are found and stripped of all else,
// and what comes out is minimal, fails, and never costs more runs than allowed.

#include "heddle/choice/shrinker.h"

#include "heddle/choice/random.h"
#include "heddle/choice/replayer.h"
#include "heddle/choice/uniform_chooser.h"

#include "choice_testing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>
#include <vector>

namespace {
using namespace __heddle;
using namespace testing_choice;

constexpr auto T = ChoiceKind::kThread;
constexpr auto V = ChoiceKind::kValue;
constexpr u64 kPlenty = 1000000;

// True if it fails.
using Program = std::function<bool(ChoiceStream &)>;

bool RunWith(const Program &program, Chooser &chooser, Log &produced) {
  LogRecorder<CountingMemory> recorder(produced);
  ChoiceStream stream(chooser, &recorder);
  return program(stream);
}

// With the candidate as a guide, then the defaults.
bool RunLog(const Program &program, const Log &candidate, Log &produced) {
  Replayer::Settings settings;
  settings.at_end = Replayer::AtEnd::kGoOn;
  settings.on_divergence = Replayer::OnDivergence::kResume;
  Replayer replayer(candidate.View(), settings);
  return RunWith(program, replayer, produced);
}

ShrinkResult ShrinkProgram(const Program &program, Log &log, u64 max_runs = kPlenty) {
  u64 runs = 0;
  ShrinkResult result = Shrink(
      log,
      [&](const Log &candidate, Log &produced) {
        runs++;
        return RunLog(program, candidate, produced);
      },
      max_runs);
  EXPECT_EQ(result.runs, runs);
  EXPECT_LE(runs, max_runs);
  return result;
}

// Looks for a failing run with random answers.
bool Find(const Program &program, Log &log, u64 seeds = 100000) {
  for (u64 seed = 0; seed < seeds; seed++) {
    UniformChooser chooser(seed);
    log.Clear();
    if (RunWith(program, chooser, log))
      return true;
  }
  return false;
}

u32 Deviations(const Choices &choices) {
  u32 deviations = 0;
  for (const Choice &choice : choices)
    deviations += !choice.IsDefault();
  return deviations;
}

std::tuple<u32, uptr, u64> Cost(const Log &log) {
  Choices choices = ToVector(log);
  while (!choices.empty() && choices.back().IsDefault())
    choices.pop_back();
  u64 answers = 0;
  for (const Choice &choice : choices)
    answers += choice.answer;
  return {Deviations(choices), choices.size(), answers};
}

// Sets an answer; true if the run fails and is simpler.
bool CanBe(const Program &program, const Log &log, uptr index, u32 answer) {
  Choices choices = ToVector(log);
  choices[index].answer = answer;
  Log changed, produced;
  Fill(changed, choices);
  return RunLog(program, changed, produced) && Cost(produced) < Cost(log);
}

// No answer can be set to the default or decreased by one.
void ExpectMinimal(const Program &program, const Log &log) {
  Choices choices = ToVector(log);
  EXPECT_TRUE(choices.empty() || !choices.back().IsDefault());
  for (uptr i = 0; i < choices.size(); i++) {
    if (choices[i].IsDefault())
      continue;
    EXPECT_FALSE(CanBe(program, log, i, 0)) << Text(log) << " without choice " << i;
    EXPECT_FALSE(CanBe(program, log, i, choices[i].answer - 1))
        << Text(log) << " with less in choice " << i;
  }
}

// Replayed to the letter, the log fails.
void ExpectExact(const Program &program, const Log &log) {
  Replayer::Settings settings;
  settings.at_end = Replayer::AtEnd::kGoOn;
  Replayer replayer(log.View(), settings);
  Log produced;
  EXPECT_TRUE(RunWith(program, replayer, produced)) << Text(log);
  replayer.Finish();
  EXPECT_FALSE(replayer.Diverged()) << Text(log);
}

// A program of `length` choices of `options` each, failing on a condition of all
// answers.
Program Flat(u32 length, u32 options, std::function<bool(const std::vector<u32> &)> fails) {
  return [=](ChoiceStream &stream) {
    std::vector<u32> answers;
    for (u32 i = 0; i < length; i++)
      answers.push_back(stream.Choose(i % 3 ? ChoiceKind::kRead : T, options));
    return fails(answers);
  };
}

TEST(Shrinker, FailureThatNeedsNoChoice) {
  Program program = Flat(100, 3, [](const std::vector<u32> &) { return true; });
  Log log;
  ASSERT_TRUE(Find(program, log));
  ShrinkResult result = ShrinkProgram(program, log);
  EXPECT_EQ(result.status, ShrinkStatus::kMinimal);
  EXPECT_TRUE(log.Empty());
  EXPECT_EQ(result.runs, 2u); // the log itself and the empty one
}

TEST(Shrinker, EmptyLogThatFails) {
  Program program = Flat(5, 3, [](const std::vector<u32> &) { return true; });
  Log log;
  EXPECT_EQ(ShrinkProgram(program, log).status, ShrinkStatus::kMinimal);
  EXPECT_TRUE(log.Empty());
}

TEST(Shrinker, LogThatDoesNotFail) {
  Program program = Flat(5, 3, [](const std::vector<u32> &) { return false; });
  Log log, before;
  Fill(log, {{T, 3, 2}, {T, 3, 0}});
  before.Assign(log);
  ShrinkResult result = ShrinkProgram(program, log);
  EXPECT_EQ(result.status, ShrinkStatus::kNotFailing);
  EXPECT_EQ(result.runs, 1u);
  EXPECT_TRUE(log == before);
}

TEST(Shrinker, NoRunsAtAll) {
  Program program = Flat(5, 3, [](const std::vector<u32> &) { return true; });
  Log log, before;
  Fill(log, {{T, 3, 2}});
  before.Assign(log);
  EXPECT_EQ(ShrinkProgram(program, log, 0).status, ShrinkStatus::kOutOfRuns);
  EXPECT_TRUE(log == before);
}

TEST(Shrinker, OneChoiceOfMany) {
  for (u32 needed : {0u, 1u, 500u, 998u, 999u}) {
    Program program =
        Flat(1000, 4, [=](const std::vector<u32> &answers) { return answers[needed] >= 2; });
    Log log;
    ASSERT_TRUE(Find(program, log));
    ShrinkResult result = ShrinkProgram(program, log);
    EXPECT_EQ(result.status, ShrinkStatus::kMinimal);
    Choices choices = ToVector(log);
    ASSERT_EQ(choices.size(), needed + 1);
    EXPECT_EQ(Deviations(choices), 1u);
    EXPECT_EQ(choices[needed].answer, 2u);
    EXPECT_LT(result.runs, 100u);
  }
}

// Three answers, far apart, each with a least value of its own.
TEST(Shrinker, ThreeChoicesOfMany) {
  std::map<u32, u32> needed = {{17, 1}, {400, 3}, {871, 2}};
  Program program = Flat(1000, 5, [=](const std::vector<u32> &answers) {
    for (auto [index, least] : needed)
      if (answers[index] < least)
        return false;
    return true;
  });
  Log log;
  ASSERT_TRUE(Find(program, log));
  ShrinkResult result = ShrinkProgram(program, log);
  EXPECT_EQ(result.status, ShrinkStatus::kMinimal);
  Choices choices = ToVector(log);
  ASSERT_EQ(choices.size(), 872u);
  EXPECT_EQ(Deviations(choices), 3u);
  for (auto [index, least] : needed)
    EXPECT_EQ(choices[index].answer, least);
  EXPECT_LT(result.runs, 200u);
}

// Choices that only help together: neither can go alone.
TEST(Shrinker, PairsThatGoTogether) {
  Program program = Flat(64, 2, [](const std::vector<u32> &answers) {
    u32 pairs = 0;
    for (u32 i = 0; i < 32; i++) {
      if (answers[i] != answers[63 - i])
        return false;
      pairs += answers[i];
    }
    return pairs >= 1;
  });
  Choices choices;
  for (u32 i = 0; i < 64; i++)
    choices.push_back({i % 3 ? ChoiceKind::kRead : T, 2, 1});
  Log log;
  Fill(log, choices);
  EXPECT_EQ(ShrinkProgram(program, log).status, ShrinkStatus::kMinimal);
  ExpectExact(program, log);
  ExpectMinimal(program, log);
}

TEST(Shrinker, LargeAnswersAreLowered) {
  for (u32 least : {1u, 2u, 5u, 1000u, 123456u, 4000000000u}) {
    Program program = [=](ChoiceStream &stream) { return stream.Choose(V, ~0u) >= least; };
    Log log;
    Fill(log, {{V, ~0u, 4000000001u}});
    ShrinkResult result = ShrinkProgram(program, log);
    EXPECT_EQ(result.status, ShrinkStatus::kMinimal);
    EXPECT_EQ(ToVector(log)[0].answer, least);
    EXPECT_LT(result.runs, 100u);
  }
}

// The answers that fail are not an interval.
TEST(Shrinker, SmallAnswersAreAllTried) {
  Program program = [](ChoiceStream &stream) {
    u32 answer = stream.Choose(V, 10);
    return answer == 3 || answer == 9;
  };
  Log log;
  Fill(log, {{V, 10, 9}});
  ShrinkProgram(program, log);
  EXPECT_EQ(Text(log), "V3/10");
}

// An answer decides what is asked next. The run of a candidate leaves it where an
// earlier answer has changed, and what it did instead is the new log.
TEST(Shrinker, ChoicesThatDependOnOthers) {
  Program program = [](ChoiceStream &stream) {
    u32 failures = 0;
    for (int i = 0; i < 20; i++) {
      if (stream.Choose(T, 3) == 0)
        continue;
      for (int j = 0; j < 3; j++)
        stream.Choose(ChoiceKind::kRead, 4);
      failures += stream.Choose(ChoiceKind::kSpurious, 2);
    }
    return failures >= 2;
  };
  Log log;
  ASSERT_TRUE(Find(program, log));
  ShrinkResult result = ShrinkProgram(program, log);
  EXPECT_EQ(result.status, ShrinkStatus::kMinimal);
  ExpectExact(program, log);
  ExpectMinimal(program, log);
  EXPECT_EQ(Deviations(ToVector(log)), 4u) << Text(log);
}

// A lost update: two threads increment a counter in three steps each.
TEST(Shrinker, LostUpdateTakesFewPreemptions) {
  Program program = [](ChoiceStream &stream) {
    constexpr int kIncrements = 3;
    int counter = 0, local[2] = {}, step[2] = {};
    u32 current = 0;
    while (step[0] < 2 * kIncrements || step[1] < 2 * kIncrements) {
      u32 other = 1 - current;
      if (step[current] == 2 * kIncrements)
        current = other;
      else if (step[other] < 2 * kIncrements && stream.Choose(T, 2))
        current = other;
      if (step[current]++ % 2 == 0)
        local[current] = counter;
      else
        counter = local[current] + 1;
    }
    return counter < 2 * kIncrements;
  };
  std::map<u32, int> preemptions;
  for (u64 seed = 0; seed < 200; seed++) {
    UniformChooser chooser(seed);
    Log log;
    if (!RunWith(program, chooser, log))
      continue;
    EXPECT_EQ(ShrinkProgram(program, log).status, ShrinkStatus::kMinimal);
    ExpectExact(program, log);
    ExpectMinimal(program, log);
    preemptions[Deviations(ToVector(log))]++;
  }
  // One is enough. A run that needs no single one of its own is rare.
  EXPECT_GT(preemptions[1], 100);
  EXPECT_GT(preemptions[1], 10 * (preemptions[2] + preemptions[3]));
}

TEST(Shrinker, SameResultEveryTime) {
  Program program = Flat(200, 3, [](const std::vector<u32> &answers) {
    return answers[20] + answers[60] + answers[150] >= 3;
  });
  Log log, again;
  ASSERT_TRUE(Find(program, log));
  again.Assign(log);
  ShrinkResult first = ShrinkProgram(program, log), second = ShrinkProgram(program, again);
  EXPECT_TRUE(log == again);
  EXPECT_EQ(first.runs, second.runs);
}

TEST(Shrinker, MinimalStaysAsItIs) {
  Program program =
      Flat(50, 3, [](const std::vector<u32> &answers) { return answers[7] && answers[30] == 2; });
  Log log, again;
  ASSERT_TRUE(Find(program, log));
  ShrinkProgram(program, log);
  again.Assign(log);
  EXPECT_EQ(ShrinkProgram(program, again).status, ShrinkStatus::kMinimal);
  EXPECT_TRUE(log == again);
}

// Random programs that fail on random conditions of their path. With any budget
// the result fails, is no worse than the start, and with a larger budget no worse
// than with a smaller one.
TEST(ShrinkerProperty, RandomPrograms) {
  int shrunk = 0;
  for (u64 seed = 0; seed < 400; seed++) {
    RandomTree tree(seed, 12 + seed % 20, 2 + seed % 5);
    Random random(seed);
    u32 modulus = 2 + random.Below(6), remainder = random.Below(modulus), least = random.Below(4);
    Program program = [=](ChoiceStream &stream) {
      std::vector<u32> path = tree.Run(stream);
      u64 hash = 0;
      u32 deviations = 0;
      for (u32 answer : path) {
        hash += (answer * answer + 1) * (deviations + 1);
        deviations += answer != 0;
      }
      return deviations >= least && hash % modulus == remainder;
    };
    Log log;
    if (!Find(program, log, 200))
      continue;
    shrunk++;
    auto cost = Cost(log);
    for (u64 budget : {u64(1), u64(2), u64(5), u64(20), u64(100), kPlenty}) {
      Log result;
      result.Assign(log);
      ShrinkStatus status = ShrinkProgram(program, result, budget).status;
      ExpectExact(program, result);
      ASSERT_LE(Cost(result), cost) << "seed " << seed << ", budget " << budget;
      cost = Cost(result);
      if (status == ShrinkStatus::kMinimal)
        ExpectMinimal(program, result);
      else
        ASSERT_LT(budget, kPlenty);
    }
  }
  EXPECT_GT(shrunk, 200);
}

// Conditions on a few answers: what comes out is exactly those.
TEST(ShrinkerProperty, PlantedConditions) {
  for (u64 seed = 0; seed < 200; seed++) {
    Random random(seed);
    std::map<u32, u32> needed;
    for (u32 i = 1 + random.Below(5); i; i--)
      needed[random.Below(300)] = 1 + random.Below(3);
    Program program = Flat(300, 4, [=](const std::vector<u32> &answers) {
      for (auto [index, least] : needed)
        if (answers[index] < least)
          return false;
      return true;
    });
    Choices start;
    for (u32 i = 0; i < 300; i++) {
      u32 least = needed.count(i) ? needed[i] : 0;
      start.push_back({i % 3 ? ChoiceKind::kRead : T, 4, least + random.Below(4 - least)});
    }
    Log log;
    Fill(log, start);
    ASSERT_EQ(ShrinkProgram(program, log).status, ShrinkStatus::kMinimal);
    Choices choices = ToVector(log);
    ASSERT_EQ(choices.size(), needed.rbegin()->first + 1);
    for (u32 i = 0; i < choices.size(); i++)
      ASSERT_EQ(choices[i].answer, needed.count(i) ? needed[i] : 0) << "seed " << seed;
  }
}

// A program that fails only now and then: what comes out is one of the logs that
// were seen to fail.
TEST(ShrinkerProperty, FlakyProgramsEndInALogThatFailed) {
  for (u64 seed = 0; seed < 200; seed++) {
    Random random(seed);
    Program program =
        Flat(60, 3, [](const std::vector<u32> &answers) { return answers[10] || answers[40]; });
    Log log;
    ASSERT_TRUE(Find(program, log));
    std::vector<std::vector<u8>> failed;
    ShrinkResult result = Shrink(
        log,
        [&](const Log &candidate, Log &produced) {
          bool fails = RunLog(program, candidate, produced) && random.Below(3);
          if (random.Below(4) == 0)
            produced.Append({T, 9, 8}); // it does not even ask the same
          if (fails)
            failed.push_back(Serialized(candidate));
          return fails;
        },
        2000);
    if (result.status == ShrinkStatus::kNotFailing)
      continue;
    ASSERT_NE(std::find(failed.begin(), failed.end(), Serialized(log)), failed.end());
  }
}

// It cannot be helped, but it does no harm.
TEST(Shrinker, PredicateThatRecordsNothing) {
  Program program = Flat(40, 3, [](const std::vector<u32> &answers) { return answers[9] == 2; });
  Log log;
  ASSERT_TRUE(Find(program, log));
  Shrink(
      log,
      [&](const Log &candidate, Log &) {
        Log produced;
        return RunLog(program, candidate, produced);
      },
      kPlenty);
  ExpectExact(program, log);
}

// A log with an answer changed by hand: it does not fit, but it fails.
TEST(Shrinker, LogThatIsOnlyAGuide) {
  Program program = [](ChoiceStream &stream) {
    if (stream.Choose(T, 2))
      stream.Choose(ChoiceKind::kRead, 3);
    return stream.Choose(V, 4) == 3;
  };
  Log log;
  Fill(log, {{T, 2, 0}, {ChoiceKind::kRead, 3, 2}, {V, 4, 3}});
  EXPECT_EQ(ShrinkProgram(program, log).status, ShrinkStatus::kMinimal);
  EXPECT_EQ(Text(log), "T0/2 V3/4");
}

// Most of a long run is left out: what is cleared early shifts all that follows.
TEST(Shrinker, LaterChoicesAreFoundAgain) {
  Program program = [](ChoiceStream &stream) {
    bool armed = false;
    for (int i = 0; i < 200; i++) {
      if (!stream.Choose(T, 2))
        continue;
      for (u32 extra = stream.Choose(ChoiceKind::kRead, 3); extra; extra--)
        stream.Choose(ChoiceKind::kWake, 4);
      if (i == 77)
        armed = true;
    }
    return armed && stream.Choose(ChoiceKind::kTimeout, 2);
  };
  Log log;
  ASSERT_TRUE(Find(program, log));
  ShrinkResult result = ShrinkProgram(program, log);
  EXPECT_EQ(result.status, ShrinkStatus::kMinimal);
  EXPECT_EQ(Text(log), "T0/2*77 T1/2 R0/3 T0/2*122 E1/2");
  EXPECT_LT(result.runs, 1000u);
}

TEST(Shrinker, FreesWhatItTook) {
  Program program = Flat(40, 3, [](const std::vector<u32> &answers) { return answers[9] == 2; });
  uptr before = CountingMemory::live;
  {
    Log log;
    ASSERT_TRUE(Find(program, log));
    ShrinkProgram(program, log);
  }
  EXPECT_EQ(CountingMemory::live, before);
}

} // namespace
