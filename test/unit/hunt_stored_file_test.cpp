// utils/heddle/hunt/stored_file.h: nothing but regular files, and no more than there may be.

#include "heddle/hunt/failure.h"
#include "heddle/hunt/files.h"
#include "heddle/hunt/stored_file.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

namespace {
using namespace heddle::hunt;

TEST(HuntStoredFile, WrittenForTheUserAlone) {
  TemporaryDirectory place;
  const std::string path = place.Path() + "/file";
  WriteStored(path, "content");
  EXPECT_EQ(ReadStored(path), "content");
  struct stat status;
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST(HuntStoredFile, LinksAreNotFollowed) {
  TemporaryDirectory place;
  const std::string path = place.Path() + "/link", target = place.Path() + "/target";
  WriteFile(target, "mine");
  ASSERT_EQ(symlink(target.c_str(), path.c_str()), 0);
  EXPECT_THROW(ReadStored(path), Failure);
  EXPECT_FALSE(IsStoredFile(path));
  WriteStored(path, "theirs");
  EXPECT_EQ(ReadFile(target), "mine");
  EXPECT_EQ(ReadStored(path), "theirs");
}

TEST(HuntStoredFile, WhatIsNoFileIsRefused) {
  TemporaryDirectory place;
  const std::string path = place.Path() + "/pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_THROW(ReadStored(path), Failure); // and does not wait
  EXPECT_THROW(ReadStored("/dev/zero"), Failure);
  EXPECT_THROW(ReadStored(place.Path()), Failure);
  EXPECT_THROW(ReadStored(place.Path() + "/none"), Failure);
}

TEST(HuntStoredFile, LargeOnesAreRefusedUnread) {
  TemporaryDirectory place;
  const std::string path = place.Path() + "/file";
  WriteStored(path, "12345");
  EXPECT_EQ(ReadStored(path, 5), "12345");
  EXPECT_THROW(ReadStored(path, 4), Failure);
  ASSERT_EQ(truncate(path.c_str(), off_t(1) << 40), 0); // takes no room
  EXPECT_THROW(ReadStored(path), Failure);
}

TEST(HuntStoredFile, GoodNames) {
  EXPECT_TRUE(IsGoodName("race-queue.cpp-88-123456"));
  for (const char *name : {"", ".", "..", ".hidden", "a/b", "/", "a\nb", "\033[2J", "\xff"})
    EXPECT_FALSE(IsGoodName(name)) << name;
  EXPECT_FALSE(IsGoodName(std::string(256, 'x')));
}

} // namespace
