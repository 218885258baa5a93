// utils/heddle/hunt/findings.h: what is saved is loaded again, whole or not at all.

#include "heddle/hunt/failure.h"
#include "heddle/hunt/files.h"
#include "heddle/hunt/findings.h"

#include <gtest/gtest.h>

#include <sys/time.h>
#include <unistd.h>

namespace {
using namespace heddle::hunt;

Finding Example() {
  Finding finding;
  finding.name = "race-queue.cpp-88-123456";
  finding.kind = Kind::kDataRace;
  finding.what = "data race";
  finding.place = "queue.cpp:88";
  finding.key = "data race\nPop()\nPush()";
  finding.raw_key = "data race\nq+0x1\nq+0x2";
  finding.program = {"/bin/q", {"./q", "an argument", "it's"}, "/"};
  finding.environment = {{"TSAN_SYMBOLIZER_PATH", "/x"}};
  finding.options = Options("schedule=random seed=7 log_path='a b'");
  finding.seed = 7;
  finding.first = 3;
  finding.executions = 12;
  finding.repeated = true;
  finding.replays = finding.replays_same = 2;
  finding.found.known = finding.shrunk.known = true;
  finding.found.preemptions = 40;
  finding.shrunk.stale_reads = 1;
  finding.shrink_runs = 100;
  finding.report = "the report\n";
  return finding;
}

TEST(HuntFindings, JsonKeepsAll) {
  const std::string json = ToJson(Example());
  const Finding read = FromJson(json, "here");
  EXPECT_EQ(ToJson(read), json);
  EXPECT_EQ(read.program.arguments, Example().program.arguments);
  EXPECT_EQ(read.options.Text(), Example().options.Text());
  EXPECT_TRUE(read.Confirmed());
  EXPECT_EQ(read.found.Total(), 40u);
}

TEST(HuntFindings, DamagedJsonIsRefused) {
  const std::string json = ToJson(Example());
  for (size_t length = 0; length + 2 < json.size(); length += 7)
    EXPECT_THROW(FromJson(json.substr(0, length), "here"), Failure) << length;
  auto with = [&](const std::string &from, const std::string &to) {
    std::string text = json;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  EXPECT_THROW(FromJson(with("\"format\": 1", "\"format\": 9"), "here"), Failure);
  EXPECT_THROW(FromJson(with("\"race\"", "\"rice\""), "here"), Failure);
  EXPECT_THROW(FromJson(with("\"/bin/q\"", "7"), "here"), Failure);
  EXPECT_THROW(FromJson(with("\"race-queue", "\"../race-queue"), "here"), Failure);
  EXPECT_THROW(FromJson("[]", "here"), Failure);
}

TEST(HuntFindings, SavedAndLoaded) {
  TemporaryDirectory place;
  FindingsStore store(place.Path() + "/a/b");
  Finding finding = Example();
  MakeDirectories(place.Path() + "/demo");
  WriteFile(place.Path() + "/demo/META", "x");
  store.Save(finding, place.Path() + "/demo");
  EXPECT_EQ(ReadFile(store.PathOf(finding.name) + "/demo/META"), "x");
  EXPECT_NE(ReadFile(store.PathOf(finding.name) + "/repeat.sh").find("'an argument'"),
            std::string::npos);
  EXPECT_EQ(LoadFinding(store.PathOf(finding.name)).report, finding.report);
  // Saving again replaces all of it.
  finding.executions = 13;
  store.Save(finding, "");
  EXPECT_FALSE(Exists(store.PathOf(finding.name) + "/demo"));
  finding.executions = 14;
  store.Update(finding);
  std::vector<std::string> complaints;
  std::vector<Finding> all = store.Load(&complaints);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].executions, 14u);
  EXPECT_TRUE(complaints.empty());
  EXPECT_EQ(NamesIn(store.Directory()),
            std::vector<std::string>{finding.name}); // nothing left over
}

TEST(HuntFindings, DamagedOnesAreNamed) {
  TemporaryDirectory place;
  FindingsStore store(place.Path());
  store.Save(Example(), "");
  MakeDirectories(place.Path() + "/other");
  WriteFile(place.Path() + "/other/finding.json", "{");
  std::vector<std::string> complaints;
  EXPECT_EQ(store.Load(&complaints).size(), 1u);
  ASSERT_EQ(complaints.size(), 1u);
  EXPECT_NE(complaints[0].find("/other/finding.json is damaged"), std::string::npos);
}

TEST(HuntFindings, DirectoryThatCannotBe) {
  TemporaryDirectory place;
  WriteFile(place.Path() + "/file", "");
  EXPECT_THROW(FindingsStore(place.Path() + "/file"), Failure);
  EXPECT_THROW(FindingsStore(place.Path() + "/file/below"), Failure);
}

TEST(HuntFiles, ShellQuotes) {
  EXPECT_EQ(ShellQuote("./a-b_1.2"), "./a-b_1.2");
  EXPECT_EQ(ShellQuote(""), "''");
  EXPECT_EQ(ShellQuote("it's"), "'it'\\''s'");
  EXPECT_EQ(ShellJoin({"a", "b c"}), "a 'b c'");
}

TEST(HuntFindings, WhatCannotBeReadIsKept) {
  TemporaryDirectory place;
  FindingsStore store(place.Path());
  store.Save(Example(), "");
  const std::string path = place.Path() + "/" + Example().name;
  WriteFile(path + "/finding.json", "{\"format\": 9}");
  store.Save(Example(), "");
  EXPECT_EQ(ReadFile(path + "-unreadable/finding.json"), "{\"format\": 9}");
  EXPECT_EQ(LoadFinding(path).name, Example().name);
}

TEST(HuntFindings, WhatAKilledHuntHasLeftIsRemoved) {
  TemporaryDirectory place;
  const auto make = [&](const std::string &name, bool old) {
    MakeDirectories(place.Path() + "/" + name + "/something");
    const timeval times[2] = {};
    if (old)
      utimes((place.Path() + "/" + name).c_str(), times);
  };
  make(".heddle-aB3cD4", true);
  make(".heddle-young1", false);
  make("heddle-aB3cD4", true);
  make(".heddle-another", true);
  TemporaryDirectory in_use(place.Path());
  const timeval times[2] = {};
  utimes(in_use.Path().c_str(), times);
  FindingsStore store(place.Path());
  EXPECT_FALSE(Exists(place.Path() + "/.heddle-aB3cD4"));
  EXPECT_TRUE(Exists(in_use.Path()));
  for (const char *name : {"/.heddle-young1", "/heddle-aB3cD4", "/.heddle-another"})
    EXPECT_TRUE(Exists(place.Path() + name)) << name;
}

} // namespace
