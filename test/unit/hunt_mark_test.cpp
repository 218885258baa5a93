// utils/heddle/hunt/mark.h: what this user has written is known, and anything else is not.

#include "heddle/hunt/failure.h"
#include "heddle/hunt/files.h"
#include "heddle/hunt/findings_store.h"
#include "heddle/hunt/mark.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include <sys/stat.h>
#include <unistd.h>

namespace {
using namespace heddle::hunt;

// A user with a directory of configuration.
class HuntMark : public testing::Test {
protected:
  HuntMark() {
    if (const char *place = getenv("XDG_CONFIG_HOME"))
      before_ = place;
    Become("one");
    MakeDirectories(Demo());
    WriteFile(Demo() + "/META", "meta");
    WriteFile(Demo() + "/SYSCALL", "calls");
  }
  ~HuntMark() override { setenv("XDG_CONFIG_HOME", before_.c_str(), 1); }

  void Become(const std::string &user) {
    setenv("XDG_CONFIG_HOME", (place_.Path() + "/" + user).c_str(), 1);
  }
  std::string Key() const { return std::string(getenv("XDG_CONFIG_HOME")) + "/heddle/key"; }
  std::string Demo() const { return Directory() + "/demo"; }
  std::string Directory() const { return place_.Path() + "/finding"; }

  static Finding Example() {
    Finding finding;
    finding.name = "x";
    finding.program = {"/bin/q", {"./q", "a"}, "/"};
    finding.options = Options("seed=7");
    return finding;
  }

  TemporaryDirectory place_;
  std::string before_;
};

TEST_F(HuntMark, KeyIsTheUsersAlone) {
  EXPECT_EQ(WhyNoMarks(), "");
  struct stat status;
  ASSERT_EQ(stat(Key().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  chmod(Key().c_str(), 0644);
  EXPECT_NE(WhyNoMarks().find("is not yours alone"), std::string::npos);
}

TEST_F(HuntMark, DemoIsKnownUntilItIsChanged) {
  EXPECT_FALSE(HasMark(Demo()));
  MarkDemo(Demo());
  EXPECT_TRUE(HasMark(Demo()));
  WriteFile(Demo() + "/SYSCALL", "other calls");
  EXPECT_FALSE(HasMark(Demo()));
}

TEST_F(HuntMark, AnotherUserHasAnotherKey) {
  MarkDemo(Demo());
  Become("two");
  EXPECT_FALSE(HasMark(Demo()));
  EXPECT_FALSE(Exists(Key())); // to look makes none
  Become("one");
  EXPECT_TRUE(HasMark(Demo()));
}

TEST_F(HuntMark, FindingIsKnownByWhatItRuns) {
  Finding finding = Example();
  MarkFinding(finding, Directory());
  EXPECT_TRUE(HasMark(finding, Directory()));
  EXPECT_TRUE(HasMark(Demo()));
  finding.executions = 99;
  EXPECT_TRUE(HasMark(finding, Directory()));
  for (const auto &change : std::vector<std::function<void(Finding *)>>{
           [](Finding *f) { f->program.path = "/bin/sh"; },
           [](Finding *f) { f->program.arguments = {"./q", "a", "b"}; },
           [](Finding *f) { f->program.directory = "/tmp"; },
           [](Finding *f) { f->environment["LD_PRELOAD"] = "x"; },
           [](Finding *f) { f->options.Set("log_path", "x"); }}) {
    Finding other = Example();
    change(&other);
    EXPECT_FALSE(HasMark(other, Directory()));
  }
}

TEST_F(HuntMark, WhatIsNotOwnIsNotMarkedByStoringIt) {
  FindingsStore store(place_.Path() + "/store");
  store.Put(Example(), Demo(), Replaces::kOwn);
  EXPECT_TRUE(LoadFinding(store.PathOf("x")).own);
  Become("two");
  Finding foreign = LoadFinding(store.PathOf("x"));
  EXPECT_FALSE(foreign.own);
  FindingsStore other(place_.Path() + "/other");
  other.Put(foreign, Demo(), Replaces::kWorse);
  EXPECT_FALSE(LoadFinding(other.PathOf("x")).own);
  EXPECT_NE(ReadFile(other.PathOf("x") + "/repeat.sh").find("exec heddle replay"),
            std::string::npos);
}

// What another says of itself may be made up.
TEST_F(HuntMark, OwnIsNotReplacedByWhatIsNot) {
  FindingsStore(place_.Path() + "/store").Put(Example(), Demo(), Replaces::kOwn);
  Finding foreign = Example();
  foreign.own = false;
  foreign.shrunk.known = true;
  FindingsStore store(place_.Path() + "/store");
  EXPECT_TRUE(store.Put(foreign, Demo(), Replaces::kWorse).own);
  const Finding kept = LoadFinding(store.PathOf("x"));
  EXPECT_TRUE(kept.own);
  EXPECT_EQ(kept.executions, 2u); // a mark is not about what is counted
}

TEST_F(HuntMark, WithoutAPlaceForTheKey) {
  setenv("XDG_CONFIG_HOME", "/dev/null", 1);
  EXPECT_NE(WhyNoMarks(), "");
  MarkDemo(Demo()); // is not an end of the world
  EXPECT_FALSE(HasMark(Demo()));
}

} // namespace
