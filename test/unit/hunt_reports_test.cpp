// utils/heddle/hunt/reports.h and progress.h: what is said. test/heddle checks that the formats
// are well-formed.

#include "heddle/hunt/progress.h"
#include "heddle/hunt/reports.h"

#include <gtest/gtest.h>

namespace {
using namespace heddle::hunt;

HuntResult Example() {
  HuntResult result;
  result.executions = 1234;
  result.seconds = 10;
  Finding finding;
  finding.name = "race-a";
  finding.kind = Kind::kDataRace;
  finding.what = "data <race>";
  finding.program = {"/bin/q", {"./q"}, "/"};
  finding.executions = 1;
  finding.report = "bytes \x01\xff\xed\xa0\x80\xf0\x9f\x98\x80]]>&\n";
  result.findings = {finding};
  return result;
}

TEST(HuntReports, PlainWords) {
  HuntResult result = Example();
  EXPECT_EQ(
      SummaryText(result, "a b"),
      "1,234 executions in 10.0 s, 123.4 a second: 1 finding.\n  race-a\n    data <race>: seen "
      "in 1 execution of 1234; not recorded, as the hunt ended\n    heddle replay 'a b/race-a'\n");
  Finding &finding = result.findings[0];
  finding.recordings = 3;
  EXPECT_EQ(FindingText(finding, 0), "data <race>: seen in 1 execution; not seen again");
  finding.replays = 2;
  finding.replays_same = 1;
  finding.found.known = finding.shrunk.known = true;
  finding.found.preemptions = 9;
  finding.shrunk.preemptions = 1;
  finding.place = "q.cpp:7";
  EXPECT_EQ(
      FindingText(finding, 0),
      "data <race> at q.cpp:7: seen in 1 execution; replayed 1 of 2 times; 9 preemptions and 0 "
      "stale reads shrunk to 1 preemption and 0 stale reads");
  result.findings.clear();
  EXPECT_EQ(SummaryText(result, "f"),
            "1,234 executions in 10.0 s, 123.4 a second: nothing found.\n");
}

TEST(HuntReports, XmlHoldsAnyBytes) {
  const std::string xml = SummaryJunit(Example(), {"/bin/<q>", {"q"}, "/"});
  EXPECT_NE(xml.find("bytes ?????\xf0\x9f\x98\x80]]&gt;&amp;\n"), std::string::npos);
  EXPECT_NE(xml.find("classname=\"heddle.&lt;q&gt;\""), std::string::npos);
  EXPECT_NE(xml.find("data &lt;race&gt;"), std::string::npos);
}

TEST(HuntReports, JsonHoldsAnyBytes) {
  HuntResult result = Example();
  result.failure = "\xff";
  EXPECT_NE(SummaryJson(result, {}, {"/bin/q", {"q"}, "/"}).find("\"race-a\""), std::string::npos);
}

TEST(HuntProgress, TimeLeft) {
  HuntSettings settings;
  EXPECT_EQ(ProgressText(settings, 5, 1, 2), "5 executions, 2.5 a second, 1 finding");
  settings.seconds = 3700;
  EXPECT_EQ(ProgressText(settings, 1000, 0, 10),
            "1,000 executions, 100 a second, 0 findings, 1:01:30 left");
  settings.runs = 2000; // comes first
  EXPECT_EQ(ProgressText(settings, 1000, 0, 10),
            "1,000 executions, 100 a second, 0 findings, 0:10 left");
  EXPECT_EQ(ProgressText(settings, 0, 0, 0),
            "0 executions, 0.0 a second, 0 findings, 1:01:40 left");
}

} // namespace
