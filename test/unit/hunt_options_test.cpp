// utils/heddle/hunt/options.h: flags as the runtime reads them.

#include "heddle/hunt/failure.h"
#include "heddle/hunt/options.h"

#include <gtest/gtest.h>

namespace {
using namespace heddle::hunt;

TEST(HuntOptions, LastOfANameCounts) {
  Options options("seed=1 schedule=random,seed=2:color=never");
  EXPECT_EQ(options.Get("seed"), "2");
  EXPECT_EQ(options.Text(), "schedule=random seed=2 color=never");
  options.Add(Options("seed=3 x=")).Remove("color").Remove("not there");
  EXPECT_EQ(options.Text(), "schedule=random seed=3 x=");
  EXPECT_TRUE(options.Has("x"));
  EXPECT_FALSE(options.Has("color"));
  EXPECT_EQ(options.Get("color"), "");
}

TEST(HuntOptions, Quotes) {
  Options options;
  options.Set("record_demo", "/a b/c").Set("log_path", "it's").Set("suppressions", "say \"x\"");
  const Options read(options.Text());
  EXPECT_EQ(read.Get("record_demo"), "/a b/c");
  EXPECT_EQ(read.Get("log_path"), "it's");
  EXPECT_EQ(read.Get("suppressions"), "say \"x\"");
  EXPECT_THROW(options.Set("x", "'\""), Failure);
}

TEST(HuntOptions, OddTexts) {
  EXPECT_EQ(Options("").Text(), "");
  EXPECT_EQ(Options("  ,: ").Text(), "");
  EXPECT_EQ(Options("a=").Get("a"), "");
  EXPECT_EQ(Options("a='b c'd=e").Text(), "a=\"b c\" d=e");
  // The runtime refuses these, and must not be given something else instead.
  EXPECT_THROW(Options("a='b"), Failure);
  EXPECT_THROW(Options("word"), Failure);
  EXPECT_THROW(Options("a=1 word b=2"), Failure);
}

} // namespace
