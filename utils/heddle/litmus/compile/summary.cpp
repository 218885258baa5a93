#include "summary.h"

#include "../printer.h"

#include <algorithm>
#include <set>

namespace heddle::litmus::compile {
namespace {

void AddOperations(const std::vector<Statement> &body, std::set<std::string> *operations) {
  for (const Statement &s : body) {
    AddOperations(s.then_body, operations);
    AddOperations(s.else_body, operations);
    if (s.kind == Statement::Kind::kIf || s.kind == Statement::Kind::kAssign)
      continue;
    const std::string name =
        s.kind == Statement::Kind::kFence ? "atomic_thread_fence" : std::string(FunctionName(s));
    operations->insert(name + " " + std::string(OrderText(s.order)));
  }
}

} // namespace

double Unobservable(const Row &row) {
  return row.allowed == 0 ? 0 : 100.0 * double(row.allowed - row.seen) / double(row.allowed);
}

Row Summarise(const std::vector<Test> &tests, const Result &result) {
  Row row;
  row.compiler = result.configuration.compiler.name;
  row.target = result.configuration.target.name;
  row.level = result.configuration.level;
  row.tests = tests.size();
  row.seconds = result.seconds;
  if (!result.not_run.empty()) {
    row.not_run = tests.size();
    return row;
  }
  for (size_t i = 0; i < tests.size(); i++) {
    const Verdict &verdict = result.verdicts[i];
    if (!verdict.not_run.empty()) {
      row.not_run++;
      continue;
    }
    row.failed += Failed(verdict);
    row.allowed += tests[i].allowed.size();
    row.seen += verdict.seen.size();
  }
  return row;
}

std::map<std::string, std::vector<std::string>> ReasonsNotRun(const std::vector<Test> &tests,
                                                              const Result &result) {
  std::map<std::string, std::vector<std::string>> reasons;
  for (size_t i = 0; i < tests.size(); i++) {
    const std::string &reason =
        result.not_run.empty() ? result.verdicts[i].not_run : result.not_run;
    if (!reason.empty())
      reasons[reason].push_back(tests[i].program.name);
  }
  return reasons;
}

std::vector<size_t> FailedTests(const std::vector<Test> &tests, const Result &result) {
  std::vector<size_t> failed;
  if (!result.not_run.empty())
    return failed;
  for (size_t i = 0; i < tests.size(); i++)
    if (Failed(result.verdicts[i]))
      failed.push_back(i);
  auto size = [&](size_t test) {
    return std::pair(EventsOf(tests[test].program), tests[test].program.threads.size());
  };
  std::stable_sort(failed.begin(), failed.end(),
                   [&](size_t a, size_t b) { return size(a) < size(b); });
  return failed;
}

std::vector<std::string> OperationsOf(const Program &program) {
  std::set<std::string> operations;
  for (const Thread &thread : program.threads)
    AddOperations(thread.body, &operations);
  return {operations.begin(), operations.end()};
}

size_t ShortestOfKind(const std::vector<Test> &tests, const std::vector<size_t> &failed,
                      size_t test) {
  const std::vector<std::string> all = OperationsOf(tests[test].program);
  for (size_t shorter : failed) {
    const std::vector<std::string> some = OperationsOf(tests[shorter].program);
    if (std::includes(all.begin(), all.end(), some.begin(), some.end()))
      return shorter;
  }
  return test;
}

} // namespace heddle::litmus::compile
