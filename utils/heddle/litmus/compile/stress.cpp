#include "stress.h"

#include "../../hunt/failure.h"
#include "../../hunt/files.h"
#include "../printer.h"
#include "stress_source.h"

#include <algorithm>
#include <cstdio>
#include <sstream>

namespace heddle::litmus::compile {
namespace {

std::vector<std::string> NativeWords(const Configuration &native, const std::string &source,
                                     const std::string &program) {
  std::vector<std::string> words = {native.compiler.command};
  words.insert(words.end(), native.target.flags.begin(), native.target.flags.end());
  words.insert(words.end(), {native.level, "-std=gnu11", "-w", "-pthread", source, "-o", program});
  return words;
}

void RunBatch(const std::vector<Test> &tests, size_t begin, size_t end, const Configuration &native,
              const StressOptions &options, std::vector<StressResult> *results) {
  std::vector<const Program *> programs;
  for (size_t i = begin; i < end; i++)
    programs.push_back(&tests[i].program);
  hunt::TemporaryDirectory directory;
  const std::string path = directory.Path() + "/stress";
  hunt::WriteFile(path + ".c", StressSource(programs));
  RunTool(NativeWords(native, path + ".c", path), options.limits.seconds);
  for (const std::string &barrier : options.barriers)
    ReadStressOutput(
        RunTool({path, std::to_string(options.runs), std::to_string(options.seed + begin), barrier},
                options.seconds),
        begin, results);
}

// What the tests of a size come to.
struct StressRow {
  size_t tests = 0, allowed = 0, model = 0, stress = 0;

  void Add(const StressRow &other) {
    tests += other.tests;
    allowed += other.allowed;
    model += other.model;
    stress += other.stress;
  }
};

std::string PrintRow(const std::string &name, const StressRow &row) {
  const double tests = double(std::max<size_t>(row.tests, 1));
  const double allowed = double(std::max<size_t>(row.allowed, 1));
  char text[160];
  snprintf(text, sizeof(text), "%-8s %6zu %10.1f %10.1f %6.0f %10.1f %6.0f\n", name.c_str(),
           row.tests, double(row.allowed) / tests, double(row.model) / tests,
           100.0 * double(row.model) / allowed, double(row.stress) / tests,
           100.0 * double(row.stress) / allowed);
  return text;
}

} // namespace

void ReadStressOutput(const std::string &text, size_t first, std::vector<StressResult> *results) {
  std::istringstream lines(text);
  StressResult *result = nullptr;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    size_t number = 0;
    if (line.rfind("test ", 0) == 0 && words >> word >> number &&
        first + number < results->size()) {
      result = &(*results)[first + number];
      continue;
    }
    unsigned long count = 0;
    State state;
    if (!result || !(words >> count))
      throw ToolError("expected a state of a test from the program that runs tests, found \"" +
                      line + "\"");
    for (Value value; words >> value;)
      state.push_back(value);
    result->states[state] += count;
  }
}

std::vector<StressResult> RunStress(const std::vector<Test> &tests, const Configuration &native,
                                    const StressOptions &options) {
  std::vector<StressResult> results(tests.size());
  for (size_t begin = 0; begin < tests.size(); begin += options.batch) {
    const size_t end = std::min(begin + options.batch, tests.size());
    try {
      RunBatch(tests, begin, end, native, options, &results);
    } catch (const std::exception &error) {
      for (size_t i = begin; i < end; i++) {
        results[i].not_run = error.what();
        results[i].states.clear();
      }
    }
    if (options.progress)
      options.progress(end, tests.size());
  }
  return results;
}

std::string PrintStressTable(const std::vector<Test> &tests, const Result &model,
                             const std::vector<StressResult> &stress) {
  std::map<int, StressRow> rows;
  StressRow all;
  for (size_t i = 0; i < tests.size(); i++) {
    if (!stress[i].not_run.empty() || !model.verdicts[i].not_run.empty())
      continue;
    StressRow row;
    row.tests = 1;
    row.allowed = tests[i].allowed.size();
    row.model = model.verdicts[i].seen.size();
    for (const auto &[state, count] : stress[i].states)
      row.stress += tests[i].allowed.count(state);
    rows[EventsOf(tests[i].program)].Add(row);
    all.Add(row);
  }
  char head[160];
  snprintf(head, sizeof(head), "%-8s %6s %10s %10s %6s %10s %6s\n", "events", "tests", "C11",
           "model", "%", "stress", "%");
  std::string text = head;
  for (const auto &[events, row] : rows)
    text += PrintRow(std::to_string(events), row);
  return text + PrintRow("all", all);
}

std::vector<std::string> Surprises(const std::vector<Test> &tests, const Result &model,
                                   const std::vector<StressResult> &stress) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < tests.size(); i++) {
    const Program &program = tests[i].program;
    const Verdict &verdict = model.verdicts[i];
    for (const auto &[state, count] : stress[i].states) {
      const std::string what = program.name + ": " + FormatState(program, state) + " was seen " +
                               std::to_string(count) + " times, but ";
      if (!tests[i].allowed.count(state))
        lines.push_back(what + "C11 forbids it");
      if (verdict.not_run.empty() && !verdict.seen.count(state) && !verdict.forbidden.count(state))
        lines.push_back(what + "the processor's memory model does not have it");
    }
  }
  return lines;
}

} // namespace heddle::litmus::compile
