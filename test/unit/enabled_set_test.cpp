// heddle/schedule/enabled_set.h against a std::set.

#include "heddle/schedule/enabled_set.h"

#include "schedule_testing.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace {
using namespace __heddle;
using namespace testing_schedule;
using Threads = std::vector<ThreadId>;

TEST(EnabledSet, InOrderOfCreation) {
  EnabledSet<Memory> set;
  EXPECT_TRUE(set.Empty());
  for (ThreadId thread : {4u, 1u, 3u, 0u})
    set.Add(thread);
  EXPECT_EQ(ToVector(set), (Threads{0, 1, 3, 4}));
  EXPECT_EQ(set.Current(), kNoThread);
  EXPECT_TRUE(set.Contains(3));
  EXPECT_FALSE(set.Contains(2));
  EXPECT_FALSE(set.Contains(kNoThread));
}

TEST(EnabledSet, TheCurrentThreadIsFirst) {
  EnabledSet<Memory> set;
  for (ThreadId thread = 0; thread < 4; thread++)
    set.Add(thread);
  set.SetCurrent(2);
  EXPECT_EQ(ToVector(set), (Threads{2, 0, 1, 3}));
  set.SetCurrent(0);
  EXPECT_EQ(ToVector(set), (Threads{0, 1, 2, 3}));
  set.SetCurrent(kNoThread);
  EXPECT_EQ(ToVector(set), (Threads{0, 1, 2, 3}));
  set.SetCurrent(7); // not a member
  EXPECT_EQ(set.Current(), kNoThread);
}

TEST(EnabledSet, TheCurrentThreadStaysFirst) {
  EnabledSet<Memory> set;
  for (ThreadId thread : {1u, 3u, 5u})
    set.Add(thread);
  set.SetCurrent(3);
  set.Add(0);
  EXPECT_EQ(ToVector(set), (Threads{3, 0, 1, 5}));
  set.Remove(1);
  EXPECT_EQ(ToVector(set), (Threads{3, 0, 5}));
  set.Remove(3);
  EXPECT_EQ(set.Current(), kNoThread);
  EXPECT_EQ(ToVector(set), (Threads{0, 5}));
}

TEST(EnabledSet, Random) {
  Random random(1);
  EnabledSet<Memory> set;
  std::set<ThreadId> reference;
  for (int i = 0; i < 20000; i++) {
    ThreadId thread = random.Below(20);
    if (random.Below(3) == 0) {
      set.SetCurrent(thread);
    } else if (reference.insert(thread).second) {
      set.Add(thread);
    } else {
      reference.erase(thread);
      set.Remove(thread);
    }
    Threads expected;
    if (set.Current() != kNoThread)
      expected.push_back(set.Current());
    for (ThreadId member : reference)
      if (member != set.Current())
        expected.push_back(member);
    ASSERT_EQ(ToVector(set), expected);
    for (u32 at = 0; at < set.Count(); at++)
      ASSERT_EQ(set.IndexOf(set[at]), at);
    for (ThreadId t = 0; t < 20; t++)
      ASSERT_EQ(set.Contains(t), reference.count(t) == 1);
  }
}

TEST(EnabledSetDeathTest, BadArguments) {
  EnabledSet<Memory> set;
  set.Add(1);
  EXPECT_DEATH(set.Add(1), "");
  EXPECT_DEATH(set.Remove(2), "");
  EXPECT_DEATH(set.IndexOf(2), "");
}

} // namespace
