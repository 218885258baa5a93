#include "report.h"

#include "../../hunt/failure.h"
#include "../../hunt/files.h"
#include "../emit_c.h"
#include "../hardware/model.h"
#include "../printer.h"
#include "graph.h"
#include "source.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <mutex>

namespace heddle::litmus::compile {
namespace {

// Every letter that a directory's name may have anywhere.
std::string FileName(const std::string &name) {
  std::string file;
  for (char c : name)
    file += isalnum(static_cast<unsigned char>(c)) || strchr("+-._", c) ? c : '_';
  return file;
}

std::string DirectoryOf(const Configuration &configuration) {
  return FileName(configuration.compiler.name + "_" + configuration.target.name +
                  configuration.level);
}

std::string DrawForbidden(const hardware::HardwareProgram &program,
                          hardware::Architecture architecture, const State &state) {
  std::string graph;
  hardware::ForEachHardwareExecution(program, architecture,
                                     [&](const hardware::HardwareExecution &execution) {
                                       if (execution.state == state)
                                         graph = DrawHardware(program, execution);
                                       return graph.empty();
                                     });
  return graph;
}

std::string States(const Program &program, const std::set<State> &states) {
  std::string text;
  for (const State &state : states)
    text += "    " + FormatState(program, state) + "\n";
  return text;
}

std::string Describe(const std::vector<Test> &tests, const Result &result,
                     const std::vector<size_t> &failed, size_t number) {
  const Test &test = tests[number];
  const Configuration &configuration = result.configuration;
  const size_t shortest = ShortestOfKind(tests, failed, number);
  const Verdict &verdict = result.verdicts[number];
  std::string text = test.program.name + " fails with " + NameOf(configuration) + "\n" +
                     configuration.compiler.version + "\n\n" +
                     "The compiled test can end in states that C11 forbids:\n" +
                     States(test.program, verdict.forbidden) + "C11 allows these:\n" +
                     States(test.program, test.allowed) +
                     "\ntest.c        the test\ntest.litmus   the test as herd and heddle "
                     "litmus read it\ntest.s        what the compiler made of it\nexecution.dot "
                     "an execution of that code, which the hardware's memory model allows,\n"
                     "              that ends in the first of the forbidden states\n\n"
                     "Its operations: ";
  std::string separator;
  for (const std::string &operation : OperationsOf(test.program)) {
    text += separator + operation;
    separator = ", ";
  }
  text += "\nThe shortest failing test that has no others: " + tests[shortest].program.name +
          (shortest == number ? " (this one)" : "") + "\n\nTo see the code:\n    " +
          hunt::ShellJoin(CompileWords(configuration, "test.c", "test.o")) +
          " && llvm-objdump-19 -d test.o\nTo judge it again:\n    heddle litmus compile --cc=" +
          configuration.compiler.name + " --target=" + configuration.target.name +
          " --levels=" + configuration.level.substr(1) + " test.litmus\n";
  return text;
}

std::string DetailsOf(const Configuration &configuration, const FailureReport &report) {
  return "<details><summary>" + EscapeHtml(NameOf(configuration) + ": " + report.name) +
         "</summary>\n<pre>" + EscapeHtml(report.text) + "</pre>\n<pre>" +
         EscapeHtml(report.source) + "</pre>\n<pre>" + EscapeHtml(report.assembly) +
         "</pre>\n<pre>" + EscapeHtml(report.graph) + "</pre>\n</details>\n";
}

std::string NotRunOf(const std::vector<Test> &tests, const Result &result) {
  std::string text;
  for (const auto &[reason, names] : ReasonsNotRun(tests, result))
    text += "<p>" + EscapeHtml(NameOf(result.configuration)) + ": " + std::to_string(names.size()) +
            " not run, the first of them " + EscapeHtml(names[0]) + "</p>\n<pre>" +
            EscapeHtml(reason) + "</pre>\n";
  return text;
}

void WriteFailure(const std::string &directory, const FailureReport &report) {
  const std::string path = directory + "/" + report.name;
  hunt::MakeDirectories(path);
  hunt::WriteFile(path + "/test.c", report.source);
  hunt::WriteFile(path + "/test.litmus", report.litmus);
  hunt::WriteFile(path + "/test.s", report.assembly);
  hunt::WriteFile(path + "/execution.dot", report.graph);
  hunt::WriteFile(path + "/README", report.text);
}

} // namespace

FailureReport Describe(const std::vector<Test> &tests, const Result &result,
                       const std::vector<size_t> &failed, size_t number, const Limits &limits) {
  const Test &test = tests[number];
  FailureReport report;
  report.name = FileName(test.program.name);
  report.source = EmitC(test.program);
  report.litmus = PrintProgram(test.program);
  report.text = Describe(tests, result, failed, number);
  const Binary binary = Build(result.configuration, BatchSource({&test.program}), limits);
  const ImageMaker maker(binary, result.configuration.target, {PrefixOf(0)});
  report.assembly = maker.Listing(test.program, PrefixOf(0));
  const std::vector<CompiledThread> threads = maker.Make(test.program, PrefixOf(0));
  report.graph = DrawForbidden(TracesOf(test.program, threads), threads[0].image.architecture,
                               *result.verdicts[number].forbidden.begin());
  if (report.graph.empty())
    report.text += "\nCompiled alone the test does not fail: it does so among others only.\n";
  return report;
}

std::vector<size_t> WorthDescribing(const std::vector<Test> &tests,
                                    const std::vector<size_t> &failed, size_t most) {
  std::vector<size_t> worth = failed;
  std::stable_partition(worth.begin(), worth.end(),
                        [&](size_t test) { return ShortestOfKind(tests, failed, test) == test; });
  worth.resize(std::min(worth.size(), most));
  return worth;
}

std::vector<std::string> WriteReports(const std::string &directory, const std::vector<Test> &tests,
                                      const std::vector<Result> &results,
                                      const CampaignOptions &options, size_t most) {
  hunt::MakeDirectories(directory);
  std::vector<Row> rows;
  std::vector<std::string> complaints;
  std::string failures, not_run, list = "compiler,target,level,events,test,shortest_of_kind\n";
  std::mutex mutex;
  for (const Result &result : results) {
    rows.push_back(Summarise(tests, result));
    not_run += NotRunOf(tests, result);
    const std::vector<size_t> failed = FailedTests(tests, result);
    for (size_t test : failed)
      list += CsvLine({result.configuration.compiler.name, result.configuration.target.name,
                       result.configuration.level, std::to_string(EventsOf(tests[test].program)),
                       tests[test].program.name,
                       tests[ShortestOfKind(tests, failed, test)].program.name});
    const std::vector<size_t> described = WorthDescribing(tests, failed, most);
    std::vector<std::string> details(described.size());
    InParallel(described.size(), options.jobs, [&](size_t i) {
      try {
        const FailureReport report = Describe(tests, result, failed, described[i], options.limits);
        WriteFailure(directory + "/failures/" + DirectoryOf(result.configuration), report);
        details[i] = DetailsOf(result.configuration, report);
      } catch (const std::exception &error) {
        std::lock_guard lock(mutex);
        complaints.push_back(tests[described[i]].program.name + ": " + error.what());
      }
    });
    for (const std::string &part : details)
      failures += part;
  }
  if (!failures.empty())
    failures = "<h2>Failures</h2>\n" + failures;
  if (!not_run.empty())
    not_run = "<h2>Not run</h2>\n" + not_run;
  hunt::WriteFile(directory + "/results.csv", PrintCsv(rows));
  hunt::WriteFile(directory + "/failures.csv", list);
  hunt::WriteFile(directory + "/report.html", PrintHtml(rows, failures + not_run));
  return complaints;
}

} // namespace heddle::litmus::compile
