// utils/heddle/hunt/findings_store.h: what is there stays, and is replaced only by what is better.

#include "heddle/hunt/failure.h"
#include "heddle/hunt/files.h"
#include "heddle/hunt/findings_store.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <thread>

#include <sys/time.h>
#include <unistd.h>

namespace {
using namespace heddle::hunt;

Finding Example(uint64_t preemptions = 1) {
  Finding finding;
  finding.name = "race-queue.cpp-88-123456";
  finding.kind = Kind::kDataRace;
  finding.what = "data race";
  finding.place = "queue.cpp:88";
  finding.key = "data race\nPop()\nPush()";
  finding.program = {"/bin/q", {"./q", "an argument"}, "/"};
  finding.executions = 12;
  finding.repeated = true;
  finding.replays = finding.replays_same = 2;
  finding.found.known = finding.shrunk.known = true;
  finding.found.preemptions = 40;
  finding.shrunk.preemptions = preemptions;
  finding.report = "the report\n";
  return finding;
}

class HuntFindingsStore : public testing::Test {
protected:
  // A directory that is taken for a demo.
  std::string Demo(const std::string &content) {
    const std::string demo = place_.Path() + "/demo of " + content;
    MakeDirectories(demo);
    WriteFile(demo + "/META", content);
    return demo;
  }
  std::string Directory() const { return place_.Path() + "/findings"; }
  std::string PathOf(const Finding &finding) const { return Directory() + "/" + finding.name; }
  std::string DemoOf(const Finding &finding) const {
    return Exists(PathOf(finding) + "/demo/META") ? ReadFile(PathOf(finding) + "/demo/META") : "";
  }

  TemporaryDirectory place_;
};

TEST_F(HuntFindingsStore, PutAndLoaded) {
  FindingsStore store(place_.Path() + "/a/b");
  Finding finding = Example();
  finding.report = "recorded in " + place_.Path() + "/demo of x, as it happens\n";
  store.Put(finding, Demo("x"), Replaces::kOwn);
  EXPECT_EQ(ReadFile(store.PathOf(finding.name) + "/demo/META"), "x");
  EXPECT_NE(ReadFile(store.PathOf(finding.name) + "/repeat.sh").find("'an argument'"),
            std::string::npos);
  // The report names the demo where it is now.
  EXPECT_EQ(LoadFinding(store.PathOf(finding.name)).report,
            "recorded in " + store.PathOf(finding.name) + "/demo, as it happens\n");
  // What a store has put there itself it may replace, all of it; executions count once.
  finding.executions = 13;
  finding.replays_same = 1;
  store.Put(finding, "", Replaces::kOwn);
  EXPECT_FALSE(Exists(store.PathOf(finding.name) + "/demo"));
  finding.executions = 14;
  store.Put(finding, "", Replaces::kNothing);
  std::vector<std::string> complaints;
  std::vector<Finding> all = store.Load(&complaints);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].executions, 14u);
  EXPECT_EQ(all[0].replays_same, 1u);
  EXPECT_TRUE(complaints.empty());
  EXPECT_EQ(NamesIn(store.Directory()),
            std::vector<std::string>{finding.name}); // nothing left over
}

TEST_F(HuntFindingsStore, WhatWasPrintedIsNotRun) {
  FindingsStore store(Directory());
  Finding finding = Example();
  finding.what = "abort\ntouch " + place_.Path() + "/run\n";
  finding.program.path = "/bin/true";
  store.Put(finding, "", Replaces::kOwn);
  ASSERT_EQ(system((PathOf(finding) + "/repeat.sh").c_str()), 0);
  EXPECT_FALSE(Exists(place_.Path() + "/run"));
}

// What comes from elsewhere stays where it is, and nothing is written through a link.
TEST_F(HuntFindingsStore, LinksAreNotFollowed) {
  FindingsStore other(place_.Path() + "/elsewhere"), store(Directory());
  other.Put(Example(), "", Replaces::kOwn);
  ASSERT_EQ(symlink(other.PathOf(Example().name).c_str(), PathOf(Example()).c_str()), 0);
  std::vector<std::string> complaints;
  EXPECT_TRUE(store.Load(&complaints).empty());
  ASSERT_EQ(complaints.size(), 1u);
  EXPECT_NE(complaints[0].find("is a symbolic link"), std::string::npos);
  EXPECT_EQ(store.Put(Example(), "", Replaces::kNothing).name, Example().name + "-2");
  EXPECT_EQ(LoadFinding(other.PathOf(Example().name)).executions, Example().executions);
}

TEST_F(HuntFindingsStore, WhatALinkLeadsToIsNotRestored) {
  MakeDirectories(Directory() + "/.heddle-123456");
  MakeDirectories(place_.Path() + "/home/replaced");
  WriteFile(place_.Path() + "/home/replaced/file", "x");
  ASSERT_EQ(symlink((place_.Path() + "/home/replaced").c_str(),
                    (Directory() + "/.heddle-123456/replaced").c_str()),
            0);
  ASSERT_EQ(symlink((place_.Path() + "/home").c_str(), (Directory() + "/.heddle-234567").c_str()),
            0);
  FindingsStore store(Directory());
  EXPECT_TRUE(Exists(place_.Path() + "/home/replaced/file"));
}

TEST_F(HuntFindingsStore, NamesThatATerminalObeysAreRefused) {
  FindingsStore store(Directory());
  store.Put(Example(), "", Replaces::kOwn);
  ASSERT_EQ(rename(PathOf(Example()).c_str(), (Directory() + "/\x1b[2J").c_str()), 0);
  std::vector<std::string> complaints;
  EXPECT_TRUE(store.Load(&complaints).empty());
  EXPECT_EQ(complaints.size(), 1u);
}

// A demo is its own files, whatever else lies there.
TEST_F(HuntFindingsStore, OnlyADemosFilesAreCopied) {
  const std::string demo = Demo("x");
  WriteFile(demo + "/other", "x");
  FindingsStore store(Directory());
  store.Put(Example(), demo, Replaces::kOwn);
  EXPECT_EQ(DemoOf(Example()), "x");
  EXPECT_FALSE(Exists(PathOf(Example()) + "/demo/other"));
}

TEST_F(HuntFindingsStore, WhatIsThereStaysUnlessItIsWorse) {
  FindingsStore(Directory()).Put(Example(5), Demo("5"), Replaces::kOwn);
  // A second hunt sees it again: first it knows nothing about it, then all.
  FindingsStore second(Directory());
  Finding seen = Example(7);
  seen.executions = 1;
  seen.repeated = false;
  seen.replays = seen.replays_same = 0;
  EXPECT_EQ(second.Put(seen, "", Replaces::kOwn).shrunk.preemptions, 5u);
  EXPECT_EQ(DemoOf(seen), "5");
  seen = Example(7);
  seen.executions = 1;
  second.Put(seen, Demo("7"), Replaces::kWorse);
  EXPECT_EQ(DemoOf(seen), "5");
  seen.executions = 10; // of this hunt
  const Finding stored = second.Put(seen, "", Replaces::kNothing);
  EXPECT_EQ(stored.executions, 22u);
  EXPECT_EQ(stored.shrunk.preemptions, 5u);
  // One that could not be replayed each time is worse, however simple it is.
  Finding doubtful = Example(0);
  doubtful.replays_same = 1;
  second.Put(doubtful, Demo("0"), Replaces::kWorse);
  EXPECT_EQ(DemoOf(seen), "5");
  FindingsStore third(Directory());
  third.Put(Example(2), Demo("2"), Replaces::kWorse);
  EXPECT_EQ(DemoOf(seen), "2");
  EXPECT_EQ(LoadFinding(PathOf(seen)).executions, 36u);
}

TEST_F(HuntFindingsStore, ADemoThatIsGoneIsReplaced) {
  FindingsStore(Directory()).Put(Example(0), Demo("0"), Replaces::kOwn);
  RemoveTree(PathOf(Example()) + "/demo");
  FindingsStore(Directory()).Put(Example(3), Demo("3"), Replaces::kWorse);
  EXPECT_EQ(DemoOf(Example()), "3");
}

TEST_F(HuntFindingsStore, OtherFindingsOfOneNameAreKept) {
  FindingsStore store(Directory());
  Finding other = Example();
  other.key = "data race\nPush()\nPush()";
  MakeDirectories(PathOf(other)); // somebody's, and no finding
  WriteFile(PathOf(other) + "/notes", "");
  EXPECT_EQ(store.Put(Example(), "", Replaces::kWorse).name, Example().name + "-2");
  EXPECT_EQ(store.Put(other, "", Replaces::kWorse).name, Example().name + "-3");
  EXPECT_EQ(NamesIn(PathOf(other)), std::vector<std::string>{"notes"});
  // Also a later hunt knows which is which, whatever they are called now.
  ASSERT_EQ(rename((PathOf(other) + "-3").c_str(), (Directory() + "/mine").c_str()), 0);
  FindingsStore later(Directory());
  EXPECT_EQ(later.Put(other, "", Replaces::kWorse).name, "mine");
  EXPECT_EQ(later.Put(Example(), "", Replaces::kWorse).name, Example().name + "-2");
  EXPECT_EQ(LoadFinding(Directory() + "/mine").executions, 24u);
}

TEST_F(HuntFindingsStore, WhatNamesNoPlaceIsOfItsProgram) {
  Finding exits = Example();
  exits.kind = Kind::kExit;
  exits.key = "exit code 3\n";
  exits.place = "";
  Finding other = exits;
  other.program.path = "/bin/other";
  EXPECT_NE(IdentityOf(exits), IdentityOf(other));
  other = exits;
  other.program.path = "/usr/bin/q"; // of another machine
  EXPECT_EQ(IdentityOf(exits), IdentityOf(other));
  other.program.arguments[1] = "another argument";
  EXPECT_NE(IdentityOf(exits), IdentityOf(other));
  exits.place = other.place = "q.cpp:1";
  EXPECT_EQ(IdentityOf(exits), IdentityOf(other));
}

TEST_F(HuntFindingsStore, FoldsWhatHasTurnedOutToBeKnown) {
  Finding raw = Example();
  raw.name = "race-q-0x17-abcdef";
  raw.key = "data race\nq+0x17";
  raw.executions = 4;
  FindingsStore(Directory()).Put(raw, "", Replaces::kOwn); // of a hunt that was killed
  FindingsStore store(Directory());
  raw.executions = 1;
  store.Put(raw, "", Replaces::kOwn);
  Finding known = Example();
  known.executions = 1;
  store.Put(known, Demo("x"), Replaces::kOwn);
  store.Fold(raw, known);
  EXPECT_EQ(NamesIn(Directory()), std::vector<std::string>{known.name});
  EXPECT_EQ(LoadFinding(PathOf(known)).executions, 5u);
  store.Fold(known, known); // nothing to do
  // One that has a demo is somebody's finding.
  store.Put(raw, Demo("raw"), Replaces::kOwn);
  store.Fold(raw, known);
  EXPECT_EQ(NamesIn(Directory()).size(), 2u);
}

TEST_F(HuntFindingsStore, DamagedOnesAreNamed) {
  FindingsStore store(Directory());
  store.Put(Example(), "", Replaces::kOwn);
  MakeDirectories(Directory() + "/other");
  WriteFile(Directory() + "/other/finding.json", "{");
  std::vector<std::string> complaints;
  EXPECT_EQ(store.Load(&complaints).size(), 1u);
  ASSERT_EQ(complaints.size(), 1u);
  EXPECT_NE(complaints[0].find("/other/finding.json is damaged"), std::string::npos);
}

TEST_F(HuntFindingsStore, DirectoryThatCannotBe) {
  WriteFile(place_.Path() + "/file", "");
  EXPECT_THROW(FindingsStore(place_.Path() + "/file"), Failure);
  EXPECT_THROW(FindingsStore(place_.Path() + "/file/below"), Failure);
}

TEST_F(HuntFindingsStore, WhatCannotBeReadIsKept) {
  FindingsStore store(Directory());
  store.Put(Example(), "", Replaces::kOwn);
  WriteFile(PathOf(Example()) + "/finding.json", "{\"format\": 9}");
  const Finding stored = store.Put(Example(), "", Replaces::kOlderBuild);
  EXPECT_EQ(ReadFile(PathOf(Example()) + "/finding.json"), "{\"format\": 9}");
  EXPECT_EQ(stored.name, Example().name + "-2");
  EXPECT_TRUE(IsFinding(PathOf(stored)));
}

TEST_F(HuntFindingsStore, WhatSomebodyWasAboutToReplaceIsBroughtBack) {
  FindingsStore(Directory()).Put(Example(), Demo("x"), Replaces::kOwn);
  const std::string draft = Directory() + "/.heddle-aB3cD4/replaced";
  MakeDirectories(draft);
  ASSERT_EQ(rename(PathOf(Example()).c_str(), (draft + "/" + Example().name).c_str()), 0);
  FindingsStore store(Directory());
  EXPECT_EQ(DemoOf(Example()), "x");
}

TEST_F(HuntFindingsStore, SeveralHuntsCountInOneDirectory) {
  std::vector<std::thread> hunts;
  for (uint64_t i = 1; i <= 4; i++)
    hunts.emplace_back([this, i] {
      FindingsStore store(Directory());
      Finding finding = Example(i);
      for (finding.executions = 1; finding.executions < 10; finding.executions++)
        store.Put(finding, Demo(std::to_string(i)), Replaces::kWorse);
    });
  for (std::thread &hunt : hunts)
    hunt.join();
  EXPECT_EQ(LoadFinding(PathOf(Example())).executions, 36u);
  EXPECT_EQ(DemoOf(Example()), "1");
}

TEST_F(HuntFindingsStore, SeveralHuntsBeginInOneDirectory) {
  std::vector<std::thread> hunts;
  for (int i = 0; i < 4; i++)
    hunts.emplace_back([this] {
      for (int i = 0; i < 50; i++)
        EXPECT_NO_THROW(FindingsStore store(Directory()));
    });
  for (std::thread &hunt : hunts)
    hunt.join();
}

TEST_F(HuntFindingsStore, WhatAKilledHuntHasLeftIsRemoved) {
  MakeDirectories(Directory());
  const auto make = [&](const std::string &name, bool old) {
    MakeDirectories(Directory() + "/" + name + "/something");
    const timeval times[2] = {};
    if (old)
      utimes((Directory() + "/" + name).c_str(), times);
  };
  make(".heddle-aB3cD4", true);
  make(".heddle-young1", false);
  make("heddle-aB3cD4", true);
  make(".heddle-another", true);
  TemporaryDirectory in_use(Directory());
  const timeval times[2] = {};
  utimes(in_use.Path().c_str(), times);
  FindingsStore store(Directory());
  EXPECT_FALSE(Exists(Directory() + "/.heddle-aB3cD4"));
  EXPECT_TRUE(Exists(in_use.Path()));
  for (const char *name : {"/.heddle-young1", "/heddle-aB3cD4", "/.heddle-another"})
    EXPECT_TRUE(Exists(Directory() + name)) << name;
}

} // namespace
