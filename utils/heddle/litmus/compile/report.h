// What a campaign leaves behind: results.csv, failures.csv with all failing tests, report.html, and
// directories of failures with all that is needed to see one, to reproduce it, and to send it to
// the compiler's developers.
#ifndef HEDDLE_LITMUS_COMPILE_REPORT_H
#define HEDDLE_LITMUS_COMPILE_REPORT_H

#include "campaign.h"
#include "summary.h"

#include <string>
#include <vector>

namespace heddle::litmus::compile {

// A failing test, compiled again alone.
struct FailureReport {
  std::string name;     // of its directory
  std::string source;   // C
  std::string litmus;   // the test in herd's format
  std::string assembly; // of its threads
  std::string graph;    // an execution that C11 forbids, for Graphviz
  std::string text;     // what was seen, and how to do it again
};

FailureReport Describe(const std::vector<Test> &tests, const Result &result,
                       const std::vector<size_t> &failed, size_t test, const Limits &limits);

// Those of the failed tests that are described, if only so many can be: first the shortest of each
// kind, then the shortest of the others.
std::vector<size_t> WorthDescribing(const std::vector<Test> &tests,
                                    const std::vector<size_t> &failed, size_t most);

// Writes everything below `directory`, with at most so many directories for a configuration. Throws
// hunt::Failure. Returns what could not be described.
std::vector<std::string> WriteReports(const std::string &directory, const std::vector<Test> &tests,
                                      const std::vector<Result> &results,
                                      const CampaignOptions &options, size_t most);

} // namespace heddle::litmus::compile

#endif // HEDDLE_LITMUS_COMPILE_REPORT_H
