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
  EXPECT_EQ(data["folds"], nlohmann::json::array());
  EXPECT_EQ(data["edges"], nlohmann::json({{0, 1}}));
  EXPECT_EQ(page.find("http://www.w3.org"), page.rfind("http:")); // only a name space
  EXPECT_EQ(page.find("https:"), page.npos);
}

TEST(ShowHtml, FoldsAndPlacesAndAccesses) {
  View view;
  view.threads = {"main"};
  view.rows.resize(4);
  const Site site{"a.cpp:1", "", {}};
  for (Row &row : view.rows) {
    row.label = "yield";
    row.site = &site;
  }
  view.rows[3].report = true;
  const std::vector<Access> accesses = {
      {"read of 4 bytes by T1", {{"f", "/usr/lib/../include/a.h", 3}}}};
  view.rows[3].accesses = &accesses;
  Execution execution;
  execution.events.resize(4);
  const auto data = nlohmann::json::parse(DataOf(ToHtml(view, HappensBefore(execution))));
  EXPECT_EQ(data["folds"], nlohmann::json({"the same 2 times more"}));
  EXPECT_FALSE(data["rows"][0].contains("fold"));
  EXPECT_EQ(data["rows"][1]["fold"], 0);
  EXPECT_EQ(data["rows"][2]["fold"], 0);
  EXPECT_EQ(data["places"].size(), 1u);
  const auto access = data["rows"][3]["accesses"][0];
  EXPECT_EQ(access[0], "read of 4 bytes by T1");
  EXPECT_EQ(data["stacks"][access[1].get<size_t>()],
            nlohmann::json::parse(R"([["f", "/usr/include/a.h:3"]])"));
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
