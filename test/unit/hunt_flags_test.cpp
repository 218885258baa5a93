// utils/heddle/hunt/flags.h: which flags there are.

#include "heddle/hunt/failure.h"
#include "heddle/hunt/flags.h"

#include <gtest/gtest.h>

namespace {
using namespace heddle::hunt;

std::string Complaint(const std::string &options) {
  try {
    CheckFlags(Options(options), "--options");
  } catch (const Failure &failure) {
    return failure.what();
  }
  return "";
}

TEST(HuntFlags, KnowsTheRuntimes) {
  EXPECT_EQ(Complaint("seed=1 schedule=random halt_on_error=1 suppressions=x help=1"), "");
  EXPECT_EQ(Complaint("second_deadlock_stack=1 include=x"), "");
  EXPECT_EQ(Complaint("sead=1"),
            "the runtime has no flag sead, which --options names. Is it seed?");
  EXPECT_EQ(Complaint("weak-memory=buffer"),
            "the runtime has no flag weak-memory, which --options names. Is it weak_memory?");
  EXPECT_NE(Complaint("something_else_altogether=1").find("list all"), std::string::npos);
  EXPECT_NE(Complaint(std::string(100000, 'x') + "=1"), "");
}

TEST(HuntFlags, AHuntNeedsItsReports) {
  std::vector<std::string> left_out;
  const Options flags =
      FlagsForHunt(Options("color=always history_size=2 log_path=x"), "--options", &left_out);
  EXPECT_EQ(flags.Text(), "history_size=2");
  EXPECT_EQ(left_out, (std::vector<std::string>{"log_path", "color"}));
  EXPECT_EQ(Complaint(ReportFlags().Text()), "");
  EXPECT_THROW(FlagsForHunt(Options("play_demo=x"), "--options", &left_out), Failure);
  EXPECT_THROW(FlagsForHunt(Options("collor=1"), "--options", &left_out), Failure);
}

TEST(HuntFlags, TheExitCodeOfReports) {
  EXPECT_EQ(ReportCode(Options()), 66);
  EXPECT_EQ(ReportCode(Options("exitcode=3")), 3);
  EXPECT_EQ(ReportCode(Options("exitcode=322")), 66);
}

} // namespace
