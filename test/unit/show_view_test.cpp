// utils/heddle/show/{symbols,view,folding,terminal}.h: an execution in words.

#include "show_testing.h"

#include "heddle/show/folding.h"
#include "heddle/show/terminal.h"
#include "heddle/show/view.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {
using namespace heddle::show;

constexpr char kAnswers[] =
    R"({"Address":"0x10","ModuleName":"/bin/mp","Symbol":[{"FileName":"/usr/include/c++/12/atomic","FunctionName":"load","Line":5},{"FileName":"/home/mp.cpp","FunctionName":"main","Line":7}]}
{"Address":"0x40","Data":{"Name":"data","Size":"0x8","Start":"0x3c"},"ModuleName":"/bin/mp"}
)";

View Example() {
  const Execution execution = ReadExecution(show_testing::MessagePassing());
  return MakeView(execution, ReadAnswers(execution, kAnswers), "./mp");
}

TEST(ShowSymbols, AsksAndReads) {
  const Execution execution = ReadExecution(show_testing::MessagePassing());
  EXPECT_EQ(SymbolizerQuestions(execution), "CODE \"/bin/mp\" 0x10\nDATA \"/bin/mp\" 0x40\n");
  const Symbols symbols = ReadAnswers(execution, kAnswers);
  const std::vector<Frame> stack = symbols.Stack(execution, 7);
  ASSERT_EQ(stack.size(), 2u);
  EXPECT_FALSE(stack[0].IsUsers());
  ASSERT_TRUE(UsersFrame(stack));
  EXPECT_EQ(UsersFrame(stack)->Where(), "mp.cpp:7");
  EXPECT_EQ(symbols.Variable(execution, 4096), "data+4");
  EXPECT_EQ(symbols.Variable(execution, 8192), "");
  EXPECT_TRUE(symbols.Stack(execution, 99).empty());
}

TEST(ShowSymbols, WithoutAnswersThereAreModules) {
  const Execution execution = ReadExecution(show_testing::MessagePassing());
  const std::vector<Frame> stack = ReadAnswers(execution, "damaged").Stack(execution, 7);
  ASSERT_EQ(stack.size(), 1u);
  EXPECT_EQ(stack[0].function, "mp+0x10");
  EXPECT_EQ(Symbolize(execution, "").Stack(execution, 7)[0].function, "mp+0x10");
}

TEST(ShowSymbols, TheRuntimesFramesAreLeftOut) {
  EXPECT_TRUE((Frame{"pthread_mutex_lock", "/x/compiler-rt/lib/tsan/rtl/a.cpp", 1}.IsRuntimes()));
  EXPECT_TRUE((Frame{"__tsan_atomic32_load", "", 0}.IsRuntimes()));
  EXPECT_FALSE((Frame{"main", "/home/a.cpp", 1}.IsRuntimes()));
}

TEST(ShowView, SaysWhatWasRead) {
  const View view = Example();
  ASSERT_EQ(view.rows.size(), 7u);
  EXPECT_EQ(view.rows[0].label, "create T1");
  EXPECT_EQ(view.rows[2].label, "store data+4 := 1 relaxed");
  EXPECT_EQ(view.rows[4].label, "load a1 = 1 acquire");
  EXPECT_EQ(view.rows[4].reads_from, 3u);
  EXPECT_FALSE(view.rows[4].stale);
  EXPECT_TRUE(view.rows[5].stale);
  EXPECT_EQ(view.rows[5].note, "stale: reads the initial value, 1 newer store");
  EXPECT_TRUE(view.rows[6].report);
  EXPECT_EQ(view.Summary(), "2 threads, 6 operations, 1 stale read, 1 report");
  EXPECT_EQ(view.legend, std::vector<std::string>{"a1 = 0x2000, first used at mp.cpp:7"});
}

TEST(ShowView, WithoutAnEngineTheLastStoreIsRead) {
  const Execution execution = ReadExecution(show_testing::Locks());
  const View view = MakeView(execution, Symbols(), "");
  EXPECT_EQ(view.rows[5].reads_from, 3u);
  EXPECT_FALSE(view.rows[5].stale);
}

TEST(ShowView, Values) {
  auto label = [](const std::string &what) {
    const Execution execution =
        ReadExecution("{\"heddle_execution\":1}\n{\"tick\":0,\"thread\":0,\"kind\":\"rmw\","
                      "\"stack\":0,\"slot\":0,\"epoch\":1,\"object\":64,\"order\":4," +
                      what + "}\n");
    return MakeView(execution, Symbols(), "").rows.at(0).label;
  };
  EXPECT_EQ(label("\"size\":4,\"read\":4294967295,\"written\":0"), "rmw a1 = -1 := 0 acq_rel");
  EXPECT_EQ(label("\"size\":8,\"read\":123456789012,\"written\":18446744073709551615"),
            "rmw a1 = 0x1cbe991a14 := -1 acq_rel");
  EXPECT_EQ(label("\"size\":1,\"read\":3,\"failed\":true"), "failed cas a1 = 3 acq_rel");
}

std::vector<Row> RowsOf(const std::string &labels) {
  std::vector<Row> rows;
  for (char label : labels) {
    Row row;
    row.label = label;
    row.report = label == '!';
    rows.push_back(row);
  }
  return rows;
}

std::string Folded(const std::vector<Row> &rows, bool fold = true) {
  const Folding folding = FoldRows(rows, fold);
  std::string text;
  for (size_t i = 0; i < rows.size(); i++) {
    if (!folding.hidden_by[i])
      text += rows[i].label;
    else if (const Fold &each = folding.folds[*folding.hidden_by[i]]; each.rows[0] == i)
      text += "*" + std::to_string(each.times + 1) + " ";
  }
  return text;
}

std::string Folded(const std::string &labels, bool fold = true) {
  return Folded(RowsOf(labels), fold);
}

TEST(ShowFolding, Loops) {
  EXPECT_EQ(Folded("abc"), "abc");
  EXPECT_EQ(Folded("aab"), "aab");
  EXPECT_EQ(Folded("aaaab"), "a*4 b");
  EXPECT_EQ(Folded("xabababy"), "xab*3 y");
  EXPECT_EQ(Folded("aaaa", /*fold=*/false), "aaaa");
  EXPECT_EQ(Folded("!!!!"), "!!!!");
  EXPECT_EQ(Folded(""), "");
}

TEST(ShowFolding, EachThreadByItself) {
  std::vector<Row> rows = RowsOf("axayaxazbb");
  for (size_t i = 1; i < 8; i += 2)
    rows[i].thread = 1;
  EXPECT_EQ(Folded(rows), "ax*4 yxzbb");
}

TEST(ShowTerminal, ALaneForEachThread) {
  EXPECT_EQ(ToText(Example(), {}),
            "./mp\n"
            "tick   main                     T1                         where\n"
            "   0   create T1                                           mp.cpp:7\n"
            "   1   │                        start\n"
            "   2   │                        store data+4 := 1 relaxed  mp.cpp:7\n"
            "   3   │                        store a1 := 1 relaxed      mp.cpp:7\n"
            "   4   load a1 = 1 acquire                                 mp.cpp:7\n"
            "   5   load data+4 = 0 relaxed                             mp.cpp:7  stale: reads "
            "the initial value, 1 newer store\n"
            "   6   ✗ failed assertion                                  mp.cpp:7\n"
            "a1 = 0x2000, first used at mp.cpp:7\n"
            "2 threads, 6 operations, 1 stale read, 1 report.\n");
}

View Arrow() {
  View view;
  view.threads = {"main", "T1"};
  view.rows = RowsOf("abcd");
  for (size_t i = 0; i < 4; i++)
    view.rows[i].tick = i;
  view.rows[0].thread = 1;
  view.rows[3].stale = true;
  view.rows[3].reads_from = 0;
  return view;
}

TEST(ShowTerminal, ArrowsGoToStores) {
  EXPECT_EQ(ToText(Arrow(), {}), "tick     main        T1          where\n"
                                 "   0 ┌▶              a\n"
                                 "   1 │   b\n"
                                 "   2 │   c\n"
                                 "   3 └─  d\n"
                                 "2 threads, 4 operations, 1 stale read, 0 reports.\n");
}

TEST(ShowTerminal, Colours) {
  TerminalOptions options;
  options.colour = true;
  const std::string text = ToText(Arrow(), options);
  EXPECT_NE(text.find("\033[1;33m"), text.npos);
  EXPECT_EQ(ToText(Arrow(), {}).find('\033'), std::string::npos);
}

TEST(ShowTerminal, RepetitionIsFolded) {
  View view;
  view.threads = {"main"};
  view.rows = RowsOf("aaaaa");
  view.rows[4].tick = 9;
  EXPECT_NE(ToText(view, {}).find("       ↻ the same 4 times more, to tick 9\n"), std::string::npos)
      << ToText(view, {});
}

// Columns of the widest line.
size_t Widest(const std::string &text) {
  size_t widest = 0, columns = 0;
  for (char c : text) {
    columns = c == '\n' ? 0 : columns + ((c & 0xc0) != 0x80);
    widest = std::max(widest, columns);
  }
  return widest;
}

TEST(ShowTerminal, NarrowTerminals) {
  TerminalOptions options;
  options.width = 72;
  EXPECT_EQ(ToText(Example(), options), "./mp\n"
                                        "tick   main                T1                   where\n"
                                        "   0   create T1                                mp.cpp:7\n"
                                        "   1   │                   start\n"
                                        "   2   │                   store data+4 := 1 …  mp.cpp:7\n"
                                        "   3   │                   store a1 := 1 rela…  mp.cpp:7\n"
                                        "   4   load a1 = 1 acquire                      mp.cpp:7\n"
                                        "   5   load data+4 = 0 relaxed                  mp.cpp:7\n"
                                        "       stale: reads the initial value, 1 newer store\n"
                                        "   6   ✗ failed assertion                       mp.cpp:7\n"
                                        "a1 = 0x2000, first used at mp.cpp:7\n"
                                        "2 threads, 6 operations, 1 stale read, 1 report.\n");
  for (options.width = 52; options.width < 120; options.width++)
    EXPECT_LE(Widest(ToText(Example(), options)), options.width);
}

TEST(ShowTerminal, ManyThreadsFit) {
  const Site site{"a_file_with_a_long_name.cpp:1234", "int a_line_of_source = 1;", {}};
  View view;
  view.rows = RowsOf("abcdefgh");
  for (unsigned i = 0; i < 8; i++) {
    view.threads.push_back(i ? "T" + std::to_string(i) : "main");
    view.rows[i].thread = i;
    view.rows[i].label = "an operation that is longer than its lane";
    view.rows[i].site = &site;
  }
  TerminalOptions options;
  options.width = 80;
  const std::string text = ToText(view, options);
  EXPECT_LE(Widest(text), 80u) << text;
  EXPECT_NE(text.find("  an operation that is longer than its lane  "), text.npos) << text;
}

TEST(ShowTerminal, WithoutUtf8) {
  TerminalOptions options;
  options.ascii = true;
  View view = Arrow();
  view.rows[2].report = true;
  const Site site{"", "\"é\"", {}};
  view.rows[1].site = &site;
  EXPECT_EQ(ToText(view, options), "tick     main        T1          where\n"
                                   "   0 .>              a\n"
                                   "   1 |   b                         \"?\"\n"
                                   "   2 |   x c\n"
                                   "   3 `-  d\n"
                                   "2 threads, 3 operations, 1 stale read, 1 report.\n");
}

} // namespace
