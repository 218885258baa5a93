// utils/heddle/show/{html,dot}.h. test/heddle/show-html.test uses the page in a browser.

#include "show_testing.h"

#include "heddle/show/dot.h"
#include "heddle/show/html.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace {
using namespace heddle::show;

std::string DataOf(const std::string &page) {
  const std::string begin = "id=\"data\">";
  const size_t from = page.find(begin) + begin.size();
  return page.substr(from, page.find("</script>", from) - from);
}

TEST(ShowHtml, ThePageHasTheExecution) {
  const Execution execution = ReadExecution(show_testing::MessagePassing());
  const View view = MakeView(execution, Symbols(), "</script> \xff");
  const std::string page = ToHtml(view, HappensBefore(execution));
  const auto data = nlohmann::json::parse(DataOf(page));
  EXPECT_EQ(data["rows"].size(), 7u);
  EXPECT_EQ(data["rows"][4]["from"], 3);
  EXPECT_EQ(data["rows"][6]["past"], nlohmann::json({5, -1}));
  EXPECT_EQ(data["threads"], nlohmann::json({"main", "T1"}));
  EXPECT_EQ(data["edges"], nlohmann::json({{0, 1}}));
  EXPECT_EQ(page.find("http://www.w3.org"), page.rfind("http:")); // only a name space
  EXPECT_EQ(page.find("https:"), page.npos);
}

TEST(ShowDot, QuotesAndEdges) {
  const Execution execution = ReadExecution(show_testing::MessagePassing());
  const View view = MakeView(execution, Symbols(), "a \"b\"");
  const std::string dot = ToDot(view, HappensBefore(execution));
  EXPECT_NE(dot.find("label=\"a \\\"b\\\"\""), dot.npos);
  EXPECT_NE(dot.find("r0 -> r4 -> r5 -> r6 [weight=10]"), dot.npos);
  EXPECT_NE(dot.find("r0 -> r1 [color=blue"), dot.npos);
  EXPECT_NE(dot.find("r3 -> r4 [color=gray"), dot.npos);
}

} // namespace
