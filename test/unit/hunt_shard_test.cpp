// utils/heddle/hunt/shard.h: seeds without overlap; limits as they are typed.

#include "heddle/hunt/failure.h"
#include "heddle/hunt/shard.h"

#include <gtest/gtest.h>

#include <set>

namespace {
using namespace heddle::hunt;

TEST(HuntShard, SeedsAreDividedWithoutOverlapOrGap) {
  std::set<uint64_t> seeds;
  for (const char *text : {"0/3", "1/3", "2/3"}) {
    const Shard shard = ReadShard(text);
    for (uint64_t execution = 0; execution < 100; execution++)
      EXPECT_TRUE(seeds.insert(shard.SeedOf(7, execution)).second);
  }
  EXPECT_EQ(*seeds.begin(), 7u);
  EXPECT_EQ(*seeds.rbegin(), 7u + 299);
  EXPECT_EQ(Shard().SeedOf(1, 41), 42u);
}

TEST(HuntShard, WhatIsNoShard) {
  for (const char *text : {"", "/", "1", "1/", "/2", "2/2", "3/2", "-1/2", "0/0", "a/b", "1/2/3",
                           " 1/2", "0/99999999999"})
    EXPECT_THROW(ReadShard(text), Failure) << text;
}

TEST(HuntShard, Durations) {
  EXPECT_EQ(ReadDuration("90"), 90);
  EXPECT_EQ(ReadDuration("90s"), 90);
  EXPECT_EQ(ReadDuration("1.5m"), 90);
  EXPECT_EQ(ReadDuration("2h"), 7200);
  for (const char *text : {"", "0", "-1", "x", "5 m", "5d", "nan", "inf", "1e99", "5ms"})
    EXPECT_THROW(ReadDuration(text), Failure) << text;
}

} // namespace
