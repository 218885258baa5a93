#include "litmus_comparison.h"

#include "litmus/cycles.h"
#include "litmus/generator.h"
#include "litmus/parser.h"
#include "litmus_assembly.h"

#include <atomic>
#include <cstdio>
#include <exception>
#include <functional>
#include <mutex>
#include <set>

namespace heddle {
namespace {

using namespace litmus;

constexpr int kOk = 0, kDifferent = 1;

// Does `work(i)` for all i below `count`, on several threads. The answer of the least i
// that has one is printed, and ends it: all before that i are done, whatever the
// number of threads.
int ForAll(uint64_t count, unsigned jobs, const std::function<std::string(uint64_t)> &work) {
  std::atomic<uint64_t> next{0}, end{count};
  std::mutex lock;
  std::string first;
  auto worker = [&] {
    for (uint64_t i; (i = next++) < end;) {
      std::string answer = work(i);
      std::lock_guard guard(lock);
      if (!answer.empty() && i < end) {
        end = i;
        first = std::move(answer);
      }
    }
  };
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < jobs; t++)
    threads.emplace_back(worker);
  for (std::thread &thread : threads)
    thread.join();
  if (end == count)
    return kOk;
  printf("%s\n", first.c_str());
  return kDifferent;
}

// The states that a file expects of a model, and those the oracle finds.
std::string CheckExpectations(const std::string &file, const Program &program) {
  std::string text;
  ParseError error;
  std::vector<Expectation> expectations;
  if (!ReadFile(file, &text, &error) ||
      !ParseExpectations(text, file, program, &expectations, &error))
    return error.ToString();
  for (const Expectation &expectation : expectations) {
    for (const std::string &model : expectation.models) {
      std::set<State> found;
      for (const auto &[state, count] : RunAxiomatic(program, AxiomsNamed(model)).states)
        found.insert(state);
      if (found != expectation.states)
        return file + ":" + std::to_string(expectation.position.line) + ": " + model + " has " +
               std::to_string(found.size()) + " states, and not those that the file expects";
    }
  }
  return "";
}

AxiomaticModel MographAxioms(const LitmusOptions &options) {
  return AxiomsNamed(options.axioms).model;
}

// There is no engine to compare with: the file's own word, and herd's.
std::string CheckAssembly(const std::string &file, const LitmusOptions &options) {
  try {
    std::string wrong = CheckAssemblyFile(file, options.expectations);
    return wrong.empty() && options.herd ? CompareWithHerd(file) : wrong;
  } catch (const std::exception &error) {
    return error.what();
  }
}

int CompareFiles(const LitmusOptions &options) {
  return ForAll(options.files.size(), options.jobs, [&](uint64_t i) -> std::string {
    if (IsAssemblyFile(options.files[i]))
      return CheckAssembly(options.files[i], options);
    Program program;
    ParseError error;
    if (!ParseFile(options.files[i], &program, &error))
      return error.ToString();
    std::string wrong = options.expectations ? CheckExpectations(options.files[i], program) : "";
    return wrong.empty() ? CompareWithOracle(program, MographAxioms(options)) : wrong;
  });
}

// All programs of two and three threads, up to so many events.
int CompareAll(const LitmusOptions &options) {
  GeneratorParameters parameters = LoadsStoresExchangesAndFences();
  parameters.max_threads = 3;
  parameters.max_events = options.all_events;
  parameters.max_events_per_thread = options.all_events;
  Generator generator(parameters);
  uint64_t count = 0;
  // A batch at a time: making a program is quick, but takes its turn.
  constexpr size_t kBatch = 4096;
  int result = kOk;
  for (std::vector<Program> batch; result == kOk; batch.clear()) {
    Program program;
    while (batch.size() < kBatch && generator.Next(&program))
      batch.push_back(program);
    if (batch.empty())
      break;
    count += batch.size();
    result = ForAll(batch.size(), options.jobs, [&](uint64_t i) {
      return CompareWithOracle(batch[i], MographAxioms(options));
    });
  }
  if (result == kOk)
    printf("all %llu programs of up to %llu events: no difference\n", (unsigned long long)count,
           (unsigned long long)options.all_events);
  return result;
}

Program MakeRandom(const LitmusOptions &options, uint64_t seed) {
  if (options.shape == "cycles") {
    CycleParameters parameters;
    parameters.max_events = options.events;
    return CycleProgram(seed, parameters);
  }
  RandomParameters parameters;
  parameters.events.max_events = options.events;
  return RandomProgram(seed, parameters);
}

int CompareRandom(const LitmusOptions &options) {
  int result = ForAll(options.random, options.jobs, [&](uint64_t i) {
    return CompareWithOracle(MakeRandom(options, options.seed + i), MographAxioms(options));
  });
  if (result == kOk)
    printf("%llu random programs (%s) of up to %d events, seeds from %llu: no difference\n",
           (unsigned long long)options.random, options.shape.c_str(), options.events,
           (unsigned long long)options.seed);
  return result;
}

} // namespace

int RunComparisons(const LitmusOptions &options) {
  int worst = kOk;
  if (!options.files.empty()) {
    worst = CompareFiles(options);
    if (worst == kOk)
      printf("%zu files: no difference\n", options.files.size());
  }
  if (options.all_events)
    worst = std::max(worst, CompareAll(options));
  if (options.random)
    worst = std::max(worst, CompareRandom(options));
  return worst;
}

} // namespace heddle
