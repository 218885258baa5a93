// heddle/schedule/exhaustive.h: every schedule once, none in which a thread that waits goes on
// waiting; and one of them again.

#include "heddle/schedule/exhaustive.h"

#include "choice_testing.h"
#include "heddle/choice/enumerator.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

namespace {
using namespace __heddle;
using TestMemory = testing_choice::CountingMemory;

// Two threads with so many operations each, and the order in which they ran.
std::string RunThreads(Exhaustive<TestMemory> &exhaustive, EnabledSet<TestMemory> &enabled,
                       int first, int second) {
  int left[] = {first, second};
  std::string order;
  exhaustive.BeginAnew();
  ChoiceStream choices(exhaustive);
  for (ThreadId thread : {0u, 1u}) {
    enabled.Add(thread);
    exhaustive.Begin(thread);
  }
  enabled.SetCurrent(kNoThread);
  while (enabled.Count()) {
    const ThreadId thread = enabled[choices.Choose(ChoiceKind::kThread, enabled.Count())];
    order += char('a' + thread);
    exhaustive.Ran(thread, {});
    if (--left[thread] == 0)
      enabled.Remove(thread);
    enabled.SetCurrent(thread);
  }
  return order;
}

TEST(Exhaustive, HasEveryInterleavingOnce) {
  Enumerator<TestMemory> enumerator;
  EnabledSet<TestMemory> enabled;
  Exhaustive<TestMemory> exhaustive(enumerator, enabled);
  std::set<std::string> orders;
  u32 runs = 0;
  do {
    orders.insert(RunThreads(exhaustive, enabled, 3, 3));
    runs++;
  } while (enumerator.Next());
  EXPECT_EQ(runs, 20u); // 6 over 3
  EXPECT_EQ(orders.size(), 20u);
}

TEST(Exhaustive, FixedAnswersGiveARunAgain) {
  Enumerator<TestMemory> enumerator;
  EnabledSet<TestMemory> enabled;
  Exhaustive<TestMemory> exhaustive(enumerator, enabled);
  do {
    const std::string order = RunThreads(exhaustive, enabled, 2, 3);
    FixedAnswers<TestMemory> fixed;
    for (uptr i = 0; i < exhaustive.Answers().Size(); i++)
      fixed.Add(exhaustive.Answers()[i]);
    Exhaustive<TestMemory> again(fixed, enabled);
    EXPECT_EQ(RunThreads(again, enabled, 2, 3), order);
  } while (enumerator.Next());
}

TEST(Exhaustive, FixedAnswersEndInDefaults) {
  FixedAnswers<TestMemory> fixed;
  fixed.Add(2);
  fixed.Add(9);
  EXPECT_EQ(fixed.Choose(ChoiceKind::kRead, 3), 2u);
  EXPECT_EQ(fixed.Choose(ChoiceKind::kRead, 3), kDefaultAnswer); // there is no such option
  EXPECT_EQ(fixed.Choose(ChoiceKind::kRead, 3), kDefaultAnswer);
}

TEST(Exhaustive, WhoYieldsIsNoOption) {
  Enumerator<TestMemory> enumerator;
  EnabledSet<TestMemory> enabled;
  Exhaustive<TestMemory> exhaustive(enumerator, enabled);
  for (ThreadId thread : {0u, 1u}) {
    enabled.Add(thread);
    exhaustive.Begin(thread);
  }
  enabled.SetCurrent(0);
  exhaustive.Ran(0, {});
  exhaustive.Yielded(0);
  EXPECT_EQ(exhaustive.Choose(ChoiceKind::kThread, 2), 1u);
  EXPECT_TRUE(exhaustive.Answers().Empty()); // nothing was asked
  EXPECT_FALSE(enumerator.Next());
}

} // namespace
