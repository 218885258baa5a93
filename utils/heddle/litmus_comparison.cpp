#include "litmus_comparison.h"

#include "hunt/shard.h"
#include "litmus/differences.h"
#include "litmus/generator.h"
#include "litmus/parser.h"
#include "litmus_assembly.h"
#include "litmus_random.h"
#include "threads.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>
#include <utility>

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
  OnThreads(jobs, [&] {
    for (uint64_t i; (i = next++) < end;) {
      std::string answer = work(i);
      std::lock_guard guard(lock);
      if (!answer.empty() && i < end) {
        end = i;
        first = std::move(answer);
      }
    }
  });
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

Comparison ComparisonOf(const LitmusOptions &options) {
  auto has = [&](const char *engine) {
    return std::find(options.engines.begin(), options.engines.end(), engine) !=
           options.engines.end();
  };
  return {has("mograph"), has("pruned"), has("cxx11"),
          has("shipped"), has("buffer"), AxiomsNamed(options.axioms).model};
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
    return wrong.empty() ? CompareWithOracle(program, ComparisonOf(options)) : wrong;
  });
}

//===-- Programs made by machine ------------------------------------------===//

// Gets the program, and its number among all.
using Work = std::function<std::string(const Program &, uint64_t)>;

// What ForAll says of all programs of two and three threads, up to so many events.
int ForAllSmall(const LitmusOptions &options, const Work &work, uint64_t *count) {
  GeneratorParameters parameters = RandomParameters().events;
  KeepKinds(options.kinds, &parameters);
  parameters.max_threads = 3;
  parameters.max_locations = 2;
  parameters.max_events = options.all_events;
  parameters.max_events_per_thread = options.all_events;
  Generator generator(parameters);
  const hunt::Shard shard = hunt::ReadShard(options.shard);
  uint64_t until_next = shard.index; // programs of other shards
  auto next = [&](Program *program) {
    for (; until_next > 0; until_next--)
      if (!generator.Skip())
        return false;
    until_next = shard.count - 1;
    return generator.Next(program);
  };
  // A batch at a time: making a program is quick, but takes its turn.
  constexpr size_t kBatch = 4096;
  int result = kOk;
  *count = 0;
  for (std::vector<Program> batch; result == kOk; batch.clear()) {
    Program program;
    while (batch.size() < kBatch && next(&program))
      batch.push_back(program);
    if (batch.empty())
      break;
    result =
        ForAll(batch.size(), options.jobs, [&](uint64_t i) { return work(batch[i], *count + i); });
    *count += batch.size();
  }
  return result;
}

// What ForAll says of random programs.
int ForAllRandom(const LitmusOptions &options, const Work &work, uint64_t *count) {
  const RandomSeeds seeds(options, options.random);
  *count = seeds.count;
  return ForAll(*count, options.jobs,
                [&](uint64_t i) { return work(MakeRandom(options, seeds.Of(i)), i); });
}

std::string ShardText(const LitmusOptions &options) {
  return options.shard == LitmusOptions().shard ? "" : ", shard " + options.shard;
}

// "all 58764 programs of up to 4 events"
std::string SmallText(const LitmusOptions &options, uint64_t count) {
  std::string text = "all " + std::to_string(count) + " programs";
  if (options.kinds != LitmusOptions().kinds) {
    text += " of ";
    for (size_t i = 0; i < options.kinds.size(); i++)
      text += (i ? ", " : "") + options.kinds[i];
    text += ",";
  }
  return text + " of up to " + std::to_string(options.all_events) + " events" + ShardText(options);
}

std::string RandomText(const LitmusOptions &options, uint64_t count) {
  return std::to_string(count) + " random programs (" + options.shape + ") of up to " +
         std::to_string(options.events) + " events" +
         (options.membarriers ? ", " + std::to_string(options.membarriers) + " % membarriers"
                              : "") +
         ", seeds from " + std::to_string(options.seed) + ShardText(options);
}

//===-- Axioms against axioms ---------------------------------------------===//

// Counts the programs on which the first axioms allow what the second forbid.
class Differences {
public:
  Differences(std::string allowing, std::string forbidding)
      : allowing_(std::move(allowing)), forbidding_(std::move(forbidding)),
        allows_(AxiomsNamed(allowing_)), forbids_(AxiomsNamed(forbidding_)) {}

  // From any thread. The result does not depend on the order of the calls.
  void Add(const Program &program, uint64_t number) {
    const std::string kind = KindOfDifference(program, allows_, forbids_);
    if (kind.empty())
      return;
    std::lock_guard guard(lock_);
    Found &found = kinds_[kind];
    if (found.programs++ == 0 || number < found.first) {
      found.first = number;
      found.name = program.name;
    }
    programs_++;
  }

  void Print(uint64_t all, bool list) const {
    printf("  %s allows what %s forbids: %llu programs (%.2f %%), %zu kinds\n", allowing_.c_str(),
           forbidding_.c_str(), (unsigned long long)programs_, all ? 100.0 * programs_ / all : 0,
           kinds_.size());
    if (!list)
      return;
    std::multimap<uint64_t, std::string, std::greater<>> by_frequency;
    for (const auto &[kind, found] : kinds_)
      by_frequency.emplace(found.programs, kind + ", first in " + found.name);
    for (const auto &[count, text] : by_frequency)
      printf("    %6llu %s\n", (unsigned long long)count, text.c_str());
  }

private:
  struct Found {
    uint64_t programs = 0, first = 0;
    std::string name;
  };

  const std::string allowing_, forbidding_;
  const AxiomaticOptions allows_, forbids_;
  std::mutex lock_;
  std::map<std::string, Found> kinds_;
  uint64_t programs_ = 0;
};

// Differences are no failure: they are what was asked for.
int CompareAxioms(const LitmusOptions &options) {
  const size_t comma = options.compare_axioms.find(',');
  if (comma == std::string::npos)
    throw std::invalid_argument("--compare-axioms takes two, as in cxx20,c11tester; not '" +
                                options.compare_axioms + "'");
  const std::string first = options.compare_axioms.substr(0, comma),
                    second = options.compare_axioms.substr(comma + 1);
  Differences one(first, second), other(second, first);
  const Work work = [&](const Program &program, uint64_t number) {
    one.Add(program, number);
    other.Add(program, number);
    return "";
  };
  std::string programs;
  uint64_t count = options.files.size();
  if (options.all_events) {
    ForAllSmall(options, work, &count);
    programs = SmallText(options, count);
  } else if (options.random) {
    ForAllRandom(options, work, &count);
    programs = RandomText(options, count);
  } else {
    const int result = ForAll(count, options.jobs, [&](uint64_t i) -> std::string {
      Program program;
      ParseError error;
      if (!ParseFile(options.files[i], &program, &error))
        return error.ToString();
      return work(program, i);
    });
    if (result != kOk)
      return result;
    programs = std::to_string(count) + " files";
  }
  printf("%s:\n", programs.c_str());
  one.Print(count, options.list);
  other.Print(count, options.list);
  return kOk;
}

} // namespace

int RunComparisons(const LitmusOptions &options) {
  if (!options.compare_axioms.empty())
    return CompareAxioms(options);
  const Work compare = [&](const Program &program, uint64_t) {
    return CompareWithOracle(program, ComparisonOf(options));
  };
  auto say = [](int result, const std::string &programs) {
    if (result == kOk)
      printf("%s: no difference\n", programs.c_str());
    return result;
  };
  int worst = kOk;
  uint64_t count = 0;
  if (!options.files.empty())
    worst = say(CompareFiles(options), std::to_string(options.files.size()) + " files");
  if (options.all_events) {
    const int result = ForAllSmall(options, compare, &count);
    worst = std::max(worst, say(result, SmallText(options, count)));
  }
  if (options.random) {
    const int result = ForAllRandom(options, compare, &count);
    worst = std::max(worst, say(result, RandomText(options, count)));
  }
  return worst;
}

} // namespace heddle
