// Tools that are missing, fail, die or hang.

#include "heddle/litmus/compile/tool.h"

#include <gtest/gtest.h>

namespace {
using namespace heddle::litmus::compile;

constexpr double kLong = 600; // for what ends by itself

std::string ErrorOf(const std::vector<std::string> &words, double seconds) {
  try {
    return "no error: " + RunTool(words, seconds);
  } catch (const ToolError &error) {
    return error.what();
  }
}

TEST(CompileTool, Find) {
  EXPECT_EQ(FindTool("/bin/sh"), "/bin/sh");
  EXPECT_FALSE(FindTool("sh").empty());
  EXPECT_TRUE(FindTool("/bin").empty()); // a directory
  EXPECT_TRUE(FindTool("no-such-tool-anywhere").empty());
  EXPECT_TRUE(FindTool("/no/such/tool").empty());
}

TEST(CompileTool, Run) {
  EXPECT_EQ(RunTool({"sh", "-c", "echo out; echo err >&2"}, kLong), "out\n");
}

TEST(CompileTool, Errors) {
  EXPECT_EQ(ErrorOf({"no-such-tool-anywhere"}, kLong), "no-such-tool-anywhere is not there");
  const std::string failed = ErrorOf({"sh", "-c", "echo out; echo bad >&2; exit 3"}, kLong);
  EXPECT_NE(failed.find("exit code 3\n    bad"), std::string::npos) << failed;
  const std::string killed = ErrorOf({"sh", "-c", "kill -SEGV $$"}, kLong);
  EXPECT_NE(killed.find("killed by signal 11"), std::string::npos) << killed;
  const std::string hung = ErrorOf({"sleep", "1000000"}, 0.01);
  EXPECT_NE(hung.find("not done after 0.01 seconds"), std::string::npos) << hung;
  const std::string many = ErrorOf({"sh", "-c", "seq 100 >&2; exit 1"}, kLong);
  EXPECT_NE(many.find("    12\n    ... and 88 more lines"), std::string::npos) << many;
}

} // namespace
