// utils/heddle/hunt/plain_path.h: any path can be the value of a flag.

#include "heddle/hunt/failure.h"
#include "heddle/hunt/options.h"
#include "heddle/hunt/plain_path.h"

#include <gtest/gtest.h>

namespace {
using namespace heddle::hunt;

TEST(HuntPlainPath, WhatHasBothKindsOfQuotesIsReachedThroughALink) {
  const TemporaryDirectory place;
  const std::string odd = place.Path() + "/it's \"here\"";
  MakeDirectories(odd);
  WriteFile(odd + "/file", "x");
  EXPECT_THROW(Options().Set("record_demo", odd), Failure);
  std::string link;
  {
    const PlainPath plain(odd);
    link = plain.Text();
    EXPECT_EQ(Options(Options().Set("record_demo", link).Text()).Get("record_demo"), link);
    EXPECT_EQ(ReadFile(link + "/file"), "x");
  }
  EXPECT_FALSE(Exists(link));
  EXPECT_TRUE(Exists(odd + "/file"));
}

TEST(HuntPlainPath, OthersAreTakenAsTheyAre) {
  for (const char *path : {"/a b", "/it's", "/\"quoted\"", "/caf\xe9"})
    EXPECT_EQ(PlainPath(path).Text(), path);
}

} // namespace
