// heddle/schedule/holders.h against a std::map.

#include "heddle/schedule/holders.h"

#include "choice_testing.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace {
using namespace __heddle;
using testing_choice::CountingMemory;

using Table = Holders<CountingMemory>;

TEST(Holders, NobodyAtFirst) {
  Table holders;
  EXPECT_EQ(holders.Of(8), kNoThread);
  holders.Drop(8, 1);
  EXPECT_EQ(holders.Of(8), kNoThread);
}

TEST(Holders, AsOftenAsTaken) {
  Table holders;
  holders.Add(8, 3);
  holders.Add(8, 3);
  holders.Drop(8, 3);
  EXPECT_EQ(holders.Of(8), 3u);
  holders.Drop(8, 3);
  EXPECT_EQ(holders.Of(8), kNoThread);
}

// As many entries as there is room for, so that some wrap around.
TEST(Holders, ThoseThatNobodyHoldsAnyMore) {
  for (uptr objects = 1; objects < 100; objects++) {
    Table holders;
    for (uptr i = 1; i <= objects; i++)
      for (ThreadId thread = 1; thread <= 2; thread++)
        holders.Add(8 * i, thread);
    holders.DropIf([](uptr object) { return object % 24 != 0; });
    for (uptr i = 1; i <= objects; i++)
      EXPECT_EQ(holders.Of(8 * i), i % 3 ? kNoThread : 1u);
  }
}

TEST(Holders, TheFirstOfSeveral) {
  Table holders;
  for (ThreadId thread : {4, 2, 7})
    holders.Add(8, thread);
  EXPECT_EQ(holders.Of(8), 2u);
  holders.Drop(8, 2);
  EXPECT_EQ(holders.Of(8), 4u);
}

TEST(Holders, GivenBackByAnother) {
  Table holders;
  for (ThreadId thread : {4, 2, 7})
    holders.Add(8, thread);
  holders.Add(16, 4);
  holders.Drop(8, 1);
  EXPECT_EQ(holders.Of(8), kNoThread);
  EXPECT_EQ(holders.Of(16), 4u);
}

TEST(Holders, LikeAMap) {
  std::mt19937_64 random(1);
  Table holders;
  std::map<uptr, std::map<ThreadId, int>> expected;
  for (int i = 0; i < 100000; i++) {
    uptr object = 8 * (1 + random() % 100);
    ThreadId thread = ThreadId(random() % 5);
    auto &of = expected[object];
    if (random() % 2) {
      holders.Add(object, thread);
      of[thread]++;
    } else {
      holders.Drop(object, thread);
      if (!of.count(thread))
        of.clear();
      else if (--of[thread] == 0)
        of.erase(thread);
    }
    ASSERT_EQ(holders.Of(object), of.empty() ? kNoThread : of.begin()->first);
  }
  for (auto &[object, of] : expected)
    EXPECT_EQ(holders.Of(object), of.empty() ? kNoThread : of.begin()->first);
}

} // namespace
