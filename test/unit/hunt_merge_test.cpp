// utils/heddle/hunt/merge.h: findings of many hunts become one directory.

#include "heddle/hunt/failure.h"
#include "heddle/hunt/files.h"
#include "heddle/hunt/findings_store.h"
#include "heddle/hunt/merge.h"

#include <gtest/gtest.h>

#include <unistd.h>

namespace {
using namespace heddle::hunt;

Finding Example(const std::string &name, const std::string &key, uint64_t executions,
                uint64_t preemptions, bool confirmed = true) {
  Finding finding;
  finding.name = name;
  finding.kind = Kind::kDataRace;
  finding.what = "data race";
  finding.key = key;
  finding.program = {"/bin/q", {"./q"}, "/"};
  finding.executions = executions;
  finding.repeated = confirmed;
  finding.shrunk.known = true;
  finding.shrunk.preemptions = preemptions;
  return finding;
}

TEST(HuntMerge, FoldsByKeyAndKeepsTheSimplest) {
  TemporaryDirectory place;
  const std::string demo = place.Path() + "/demo";
  MakeDirectories(demo);
  WriteFile(demo + "/META", "demo of b");
  FindingsStore a(place.Path() + "/a"), b(place.Path() + "/b");
  a.Put(Example("race-x", "x", 5, 9), "", Replaces::kOwn);
  a.Put(Example("race-y", "y", 1, 1), "", Replaces::kOwn);
  b.Put(Example("race-x", "x", 7, 2), demo, Replaces::kOwn);
  const std::string to = place.Path() + "/to";
  const MergeResult result = Merge({a.Directory(), b.Directory()}, to);
  EXPECT_EQ(result.read, 3u);
  ASSERT_EQ(result.findings.size(), 2u);
  const Finding x = LoadFinding(to + "/race-x");
  EXPECT_EQ(x.executions, 12u);
  EXPECT_EQ(x.shrunk.preemptions, 2u);
  EXPECT_EQ(ReadFile(to + "/race-x/demo/META"), "demo of b");
  EXPECT_TRUE(IsFinding(to + "/race-y"));
  // Once more into the same directory: what is there takes part.
  FindingsStore c(place.Path() + "/c");
  c.Put(Example("race-x", "x", 100, 50), "", Replaces::kOwn);
  Merge({c.Directory()}, to);
  EXPECT_EQ(LoadFinding(to + "/race-x").executions, 112u);
  EXPECT_EQ(LoadFinding(to + "/race-x").shrunk.preemptions, 2u);
  EXPECT_EQ(ReadFile(to + "/race-x/demo/META"), "demo of b");
}

TEST(HuntMerge, ADemoThatCannotBeReadStopsNoOthers) {
  TemporaryDirectory place;
  const std::string demo = place.Path() + "/demo";
  MakeDirectories(demo);
  WriteFile(demo + "/META", "x");
  FindingsStore a(place.Path() + "/a");
  a.Put(Example("race-x", "x", 5, 9), demo, Replaces::kOwn);
  a.Put(Example("race-y", "y", 5, 9), demo, Replaces::kOwn);
  ASSERT_EQ(symlink("/etc/passwd", (a.PathOf("race-x") + "/demo/SYSCALL").c_str()), 0);
  const MergeResult result = Merge({a.Directory()}, place.Path() + "/to");
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].name, "race-y");
  ASSERT_EQ(result.complaints.size(), 1u);
  EXPECT_NE(result.complaints[0].find("demo/SYSCALL: it is a symbolic link"), std::string::npos);
}

TEST(HuntMerge, DifferentFindingsOfOneNameAreBothKept) {
  TemporaryDirectory place;
  FindingsStore a(place.Path() + "/a"), b(place.Path() + "/b");
  a.Put(Example("race-x", "x", 5, 9), "", Replaces::kOwn);
  b.Put(Example("race-x", "y", 7, 2), "", Replaces::kOwn);
  const std::string to = place.Path() + "/to";
  EXPECT_EQ(Merge({a.Directory(), b.Directory()}, to).findings.size(), 2u);
  EXPECT_EQ(LoadFinding(to + "/race-x").key, "x");
  EXPECT_EQ(LoadFinding(to + "/race-x-2").key, "y");
  // In any order, and once more.
  EXPECT_EQ(Merge({b.Directory(), a.Directory()}, to).findings.size(), 2u);
  EXPECT_EQ(LoadFinding(to + "/race-x").executions, 10u);
  EXPECT_EQ(LoadFinding(to + "/race-x-2").executions, 14u);
  const std::string other = place.Path() + "/other";
  Merge({b.Directory()}, other);
  Merge({a.Directory()}, other);
  EXPECT_EQ(NamesIn(other), (std::vector<std::string>{"race-x", "race-x-2"}));
}

TEST(HuntMerge, ADirectoryThatIsNamedTwiceCountsOnce) {
  TemporaryDirectory place;
  FindingsStore a(place.Path() + "/a");
  a.Put(Example("race-x", "x", 5, 9), "", Replaces::kOwn);
  const std::string to = place.Path() + "/to";
  EXPECT_EQ(Merge({a.Directory(), a.Directory() + "/../a/"}, to).read, 1u);
  EXPECT_EQ(LoadFinding(to + "/race-x").executions, 5u);
  Merge({to}, to);
  EXPECT_EQ(LoadFinding(to + "/race-x").executions, 5u);
}

TEST(HuntMerge, OrderDoesNotMatter) {
  const Finding simple = Example("a", "k", 1, 1), unconfirmed = Example("a", "k", 1, 0, false);
  EXPECT_TRUE(IsBetter(simple, Example("a", "k", 1, 2)));
  EXPECT_FALSE(IsBetter(Example("a", "k", 1, 2), simple));
  EXPECT_TRUE(IsBetter(simple, unconfirmed));
  EXPECT_FALSE(IsBetter(simple, simple));
}

TEST(HuntMerge, DamagedOnesAreNamedAndTheOthersKept) {
  TemporaryDirectory place;
  FindingsStore a(place.Path() + "/a");
  a.Put(Example("race-x", "x", 5, 9), "", Replaces::kOwn);
  MakeDirectories(place.Path() + "/a/broken");
  WriteFile(place.Path() + "/a/broken/finding.json", "nothing");
  const MergeResult result = Merge({a.Directory()}, place.Path() + "/to");
  EXPECT_EQ(result.complaints.size(), 1u);
  EXPECT_TRUE(IsFinding(place.Path() + "/to/race-x"));
  EXPECT_THROW(Merge({place.Path() + "/missing"}, place.Path() + "/to"), Failure);
}

} // namespace
