// utils/heddle/hunt/findings.h: a finding as JSON, and words for a shell.

#include "heddle/hunt/failure.h"
#include "heddle/hunt/files.h"
#include "heddle/hunt/findings.h"

#include <gtest/gtest.h>

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

TEST(HuntFindings, JsonKeepsBytesThatAreNoText) {
  Finding finding = Example();
  finding.program = {"/caf\xe9/q%41", {"./q\xff", "%FF", "\x01"}, "/caf\xe9"};
  finding.environment["A"] = "\xfe%";
  finding.options.Set("log_path", "/\xe9 b");
  finding.what = "says \xff"; // is text, and need not be repeated
  const Finding read = FromJson(ToJson(finding), "here");
  EXPECT_EQ(read.program.path, finding.program.path);
  EXPECT_EQ(read.program.arguments, finding.program.arguments);
  EXPECT_EQ(read.program.directory, finding.program.directory);
  EXPECT_EQ(read.environment, finding.environment);
  EXPECT_EQ(read.options.Text(), finding.options.Text());
  EXPECT_EQ(ToJson(read), ToJson(FromJson(ToJson(read), "here")));
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
  for (const char *name : {"..", ".", ".heddle-1", "a/b", "a\\u0000b", "a\\nb", "\\u001b[2J", ""})
    EXPECT_THROW(FromJson(with("race-queue.cpp-88-123456", name), "here"), Failure) << name;
  for (const char *name : {"A=1; B", "A B", "A; touch x; B", "1A", ""})
    EXPECT_THROW(FromJson(with("TSAN_SYMBOLIZER_PATH", name), "here"), Failure) << name;
  EXPECT_THROW(FromJson("[]", "here"), Failure);
  EXPECT_THROW(FromJson(with("\"an argument\"", "\"an\\u0000argument\""), "here"), Failure);
}

TEST(HuntFiles, ShellQuotes) {
  EXPECT_EQ(ShellQuote("./a-b_1.2"), "./a-b_1.2");
  EXPECT_EQ(ShellQuote(""), "''");
  EXPECT_EQ(ShellQuote("it's"), "'it'\\''s'");
  EXPECT_EQ(ShellJoin({"a", "b c"}), "a 'b c'");
  EXPECT_EQ(ShellPath("-a b"), "'./-a b'");
  EXPECT_EQ(ShellPath("a/-b"), "a/-b");
}

} // namespace
