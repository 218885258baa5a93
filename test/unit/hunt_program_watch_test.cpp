// utils/heddle/hunt/program_watch.h: a build is noticed, whether it replaces the file or writes to
// it.

#include "heddle/hunt/files.h"
#include "heddle/hunt/program_watch.h"

#include <gtest/gtest.h>

#include <cstdio>

#include <sys/stat.h>
#include <unistd.h>

namespace {
using namespace heddle::hunt;

TEST(HuntProgramWatch, EachKindOfBuild) {
  const TemporaryDirectory place;
  const std::string path = place.Path() + "/program", other = place.Path() + "/other";
  WriteFile(path, "program");
  {
    const ProgramWatch watch(path);
    EXPECT_FALSE(watch.Changed());
    ASSERT_EQ(chmod(path.c_str(), 0700), 0); // is no build
    EXPECT_FALSE(watch.Changed());
    WriteFile(path, "longer program");
    EXPECT_TRUE(watch.Changed());
  }
  WriteFile(other, "longer program");
  const ProgramWatch watch(path);
  ASSERT_EQ(rename(other.c_str(), path.c_str()), 0);
  EXPECT_TRUE(watch.Changed());
  unlink(path.c_str());
  EXPECT_TRUE(watch.Changed());
}

} // namespace
