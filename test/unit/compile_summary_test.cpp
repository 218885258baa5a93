// The arithmetic of verdicts, which failures are of a kind, and the tables.

#include "heddle/litmus/compile/report.h"
#include "heddle/litmus/compile/stress.h"
#include "heddle/litmus/compile/summary.h"
#include "litmus_builders.h"

#include <gtest/gtest.h>

namespace {
using namespace heddle::litmus;
using namespace heddle::litmus::compile;
using namespace heddle::litmus::build;

// Inside of TEST the name is GoogleTest's.
using Tests = std::vector<compile::Test>;

// A test with so many stores of this order, in one thread.
Test StoresTest(const std::string &name, int stores, Order order) {
  Test test;
  test.program.name = name;
  test.program.locations = {{"x", 0}};
  test.program.threads.resize(1);
  for (int i = 0; i < stores; i++)
    test.program.threads[0].body.push_back(Store(kX, Constant(1), order));
  test.program.observed = {{-1, 0}};
  test.allowed = {{0}, {1}};
  return test;
}

Result ResultOf(std::vector<Verdict> verdicts) {
  Result result;
  result.configuration.compiler.name = "cc";
  result.configuration.target = *FindTarget("riscv64");
  result.configuration.level = "-O2";
  result.verdicts = std::move(verdicts);
  return result;
}

TEST(CompileSummary, Compare) {
  const Verdict verdict = Compare({{0}, {1}, {2}}, {{1}, {3}});
  EXPECT_EQ(verdict.seen, (std::set<State>{{1}}));
  EXPECT_EQ(verdict.forbidden, (std::set<State>{{3}}));
  EXPECT_TRUE(Failed(verdict));
  EXPECT_FALSE(Failed(Compare({{0}, {1}}, {{0}, {1}})));
}

TEST(CompileSummary, Row) {
  const Tests tests = {StoresTest("a", 1, kRlx), StoresTest("b", 1, kRlx),
                       StoresTest("c", 1, kRlx)};
  Verdict broken;
  broken.not_run = "why";
  const Row row = Summarise(tests, ResultOf({Compare(tests[0].allowed, {{0}}), broken,
                                             Compare(tests[2].allowed, {{0}, {1}, {2}})}));
  EXPECT_EQ(row.tests, 3u);
  EXPECT_EQ(row.not_run, 1u);
  EXPECT_EQ(row.failed, 1u);
  EXPECT_EQ(row.allowed, 4u); // of the two that were run
  EXPECT_EQ(row.seen, 3u);
  EXPECT_DOUBLE_EQ(Unobservable(row), 25);
}

TEST(CompileSummary, NothingRun) {
  const Tests tests = {StoresTest("a", 1, kRlx)};
  Result result = ResultOf(std::vector<Verdict>(1));
  result.not_run = "no compiler";
  const Row row = Summarise(tests, result);
  EXPECT_EQ(row.not_run, 1u);
  EXPECT_DOUBLE_EQ(Unobservable(row), 0);
  EXPECT_TRUE(FailedTests(tests, result).empty());
  EXPECT_EQ(ReasonsNotRun(tests, result).at("no compiler"), std::vector<std::string>{"a"});
}

TEST(CompileSummary, ShortestOfKind) {
  const Tests tests = {StoresTest("long", 3, kSc), StoresTest("other", 1, kRel),
                       StoresTest("short", 2, kSc), StoresTest("passes", 1, kSc)};
  const Verdict failed = Compare({{0}}, {{1}});
  const std::vector<size_t> all =
      FailedTests(tests, ResultOf({failed, failed, failed, Compare({{0}}, {{0}})}));
  EXPECT_EQ(all, (std::vector<size_t>{1, 2, 0}));
  EXPECT_EQ(ShortestOfKind(tests, all, 0), 2u);
  EXPECT_EQ(ShortestOfKind(tests, all, 2), 2u);
  EXPECT_EQ(ShortestOfKind(tests, all, 1), 1u);
  EXPECT_EQ(WorthDescribing(tests, all, 9), (std::vector<size_t>{1, 2, 0}));
  EXPECT_EQ(WorthDescribing(tests, all, 1), (std::vector<size_t>{1}));
  EXPECT_EQ(OperationsOf(tests[0].program), std::vector<std::string>{"atomic_store seq_cst"});
}

TEST(CompileSummary, Tables) {
  Row row;
  row.compiler = "a,\"b\"<";
  row.target = "riscv64";
  row.level = "-O2";
  row.tests = 10;
  row.failed = 1;
  row.allowed = 8;
  row.seen = 7;
  EXPECT_NE(PrintTable({row}).find("riscv64  -O2       10       1"), std::string::npos)
      << PrintTable({row});
  EXPECT_EQ(PrintCsv({row}),
            "compiler,target,level,tests,failed,not_run,allowed,observable,"
            "unobservable_percent,seconds\n\"a,\"\"b\"\"<\",riscv64,-O2,10,1,0,8,7,12.5,0.0\n");
  const std::string page = PrintHtml({row}, "<p>details</p>");
  EXPECT_NE(page.find("<tr class=\"bad\"><td>a,&quot;b&quot;&lt;</td>"), std::string::npos) << page;
  EXPECT_NE(page.find("<p>details</p>"), std::string::npos);
}

TEST(CompileStress, Output) {
  std::vector<StressResult> results(3);
  ReadStressOutput("test 0\n5 0 -1\n7 1 1\ntest 1\n12 0 0\n", 1, &results);
  ReadStressOutput("test 0\n1 0 -1\n", 1, &results);
  EXPECT_TRUE(results[0].states.empty());
  EXPECT_EQ(results[1].states, (std::map<State, unsigned long>{{{0, -1}, 6}, {{1, 1}, 7}}));
  EXPECT_EQ(results[2].states, (std::map<State, unsigned long>{{{0, 0}, 12}}));
  EXPECT_THROW(ReadStressOutput("1 2 3\n", 0, &results), ToolError);
  EXPECT_THROW(ReadStressOutput("test 3\n1 2 3\n", 0, &results), ToolError);
  EXPECT_THROW(ReadStressOutput("Segmentation fault\n", 0, &results), ToolError);
}

TEST(CompileStress, TableAndSurprises) {
  const Tests tests = {StoresTest("a", 1, kRlx), StoresTest("b", 2, kRlx)};
  const Result model =
      ResultOf({Compare(tests[0].allowed, {{0}, {1}}), Compare(tests[1].allowed, {{0}, {2}})});
  std::vector<StressResult> stress(2);
  stress[0].states = {{{1}, 10}};
  stress[1].states = {{{0}, 4}, {{1}, 5}, {{3}, 6}};
  const std::string table = PrintStressTable(tests, model, stress);
  EXPECT_NE(table.find("all           2        2.0        1.5     75        1.5     75"),
            std::string::npos)
      << table;
  const std::vector<std::string> surprises = Surprises(tests, model, stress);
  ASSERT_EQ(surprises.size(), 3u);
  EXPECT_EQ(surprises[0],
            "b: x=1; was seen 5 times, but the processor's memory model does not have it");
  EXPECT_EQ(surprises[1], "b: x=3; was seen 6 times, but C11 forbids it");
}

} // namespace
