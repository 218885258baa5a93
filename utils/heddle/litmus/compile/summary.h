// What a campaign came to, in numbers and words.
#ifndef HEDDLE_LITMUS_COMPILE_SUMMARY_H
#define HEDDLE_LITMUS_COMPILE_SUMMARY_H

#include "campaign.h"

#include <map>
#include <string>
#include <vector>

namespace heddle::litmus::compile {

struct Row {
  std::string compiler, target, level;
  size_t tests = 0;   // asked for
  size_t not_run = 0; // of them
  size_t failed = 0;  // with a state that C11 forbids
  size_t allowed = 0; // states that C11 allows, of the tests that were run
  size_t seen = 0;    // of them, those that the hardware model has
  double seconds = 0;
};

// The share of the allowed states that cannot be observed, in percent; 0 if nothing was run.
double Unobservable(const Row &row);

Row Summarise(const std::vector<Test> &tests, const Result &result);

// Why tests were not run: each reason once, with the tests.
std::map<std::string, std::vector<std::string>> ReasonsNotRun(const std::vector<Test> &tests,
                                                              const Result &result);

// The failing tests of a result, the shortest first.
std::vector<size_t> FailedTests(const std::vector<Test> &tests, const Result &result);

// The operations of a program with their orders: "load acquire", "fence seq_cst".
std::vector<std::string> OperationsOf(const Program &program);

// Two failures are of a kind if the same pieces of the compiler's mapping may be to blame. The
// shortest of a kind is the shortest failing test that has no operations but `test`'s.
size_t ShortestOfKind(const std::vector<Test> &tests, const std::vector<size_t> &failed,
                      size_t test);

// For a terminal, with aligned columns.
std::string PrintTable(const std::vector<Row> &rows);
std::string PrintCsv(const std::vector<Row> &rows);
std::string CsvLine(const std::vector<std::string> &cells);
// A page that needs no other file. `details` is what follows the table, as HTML.
std::string PrintHtml(const std::vector<Row> &rows, const std::string &details);
std::string EscapeHtml(const std::string &text);

} // namespace heddle::litmus::compile

#endif // HEDDLE_LITMUS_COMPILE_SUMMARY_H
