#include "synth_command.h"

#include "command.h"
#include "litmus/emit_c.h"
#include "litmus/printer.h"
#include "litmus/synth.h"
#include "litmus/synth_families.h"
#include "litmus/synth_files.h"
#include "threads.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>
#include <thread>

namespace heddle {
namespace {

using namespace litmus;

struct Options {
  SynthOptions synth;
  std::string axioms = "cxx20";
  std::string release_sequence = "cxx20";
  std::string out;
  bool no_fences = false;
  bool tied_threads = false;
  bool list = false;
  bool check = false;
};

// Does `work(i)` for all i below `count`, on several threads. Throws what a `work`
// has thrown.
void ForAll(size_t count, unsigned jobs, const std::function<void(size_t)> &work) {
  std::atomic<size_t> next{0};
  OnThreads(jobs, [&] {
    try {
      for (size_t i; (i = next++) < count;)
        work(i);
    } catch (...) {
      next = count;
      throw;
    }
  });
}

void Write(const std::filesystem::path &path, const std::string &text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush())
    throw std::runtime_error("cannot write " + path.string() +
                             "; is there room, and may this user write there?");
}

// One .litmus and one .c for each program, and @all with the names of the former, as
// herd and litmus7 read it.
size_t WriteAll(const std::vector<SynthesisedTest> &tests, const Options &options) {
  std::filesystem::path out(options.out);
  std::error_code error;
  std::filesystem::create_directories(out, error);
  if (!std::filesystem::is_directory(out))
    throw std::runtime_error("cannot make the directory " + options.out + ": " + error.message() +
                             "; name another with --out");
  std::vector<std::string> names(tests.size());
  std::atomic<size_t> count{0};
  ForAll(tests.size(), options.synth.jobs, [&](size_t i) {
    for (const Program &program : Instantiate(tests[i], options.synth.axioms)) {
      Write(out / (program.name + ".litmus"), PrintSynthesised(tests[i], program, options.synth));
      Write(out / (program.name + ".c"), "// " + program.name + "\n// Forbidden: " +
                                             PrintCondition(program) + "\n" + EmitC(program));
      names[i] += program.name + ".litmus\n";
      count++;
    }
  });
  std::string all;
  for (const std::string &name : names)
    all += name;
  Write(out / "@all", all);
  return count;
}

struct Count {
  size_t plain = 0, rmw = 0;
  void Add(const SynthesisedTest &test) { (test.Rmws() ? rmw : plain)++; }
};

void PrintCounts(const std::vector<SynthesisedTest> &tests) {
  std::map<int, Count> by_size;
  std::map<std::string, Count> by_family;
  Count all;
  for (const SynthesisedTest &test : tests) {
    by_size[test.Size()].Add(test);
    by_family[test.family].Add(test);
    all.Add(test);
  }
  printf("%-8s %8s %12s %9s\n", "Events", "Tests", "without RMW", "with RMW");
  auto line = [](const std::string &name, const Count &count) {
    printf("%-8s %8zu %12zu %9zu\n", name.c_str(), count.plain + count.rmw, count.plain, count.rmw);
  };
  for (const auto &[size, count] : by_size)
    line(std::to_string(size), count);
  line("all", all);
  puts("");
  printf("%-8s %8s %12s %9s\n", "Family", "Tests", "without RMW", "with RMW");
  for (const std::string &family : Families())
    if (by_family.count(family))
      line(family, by_family[family]);
  if (by_family.count(""))
    line("none", by_family[""]);
}

int Complain(const std::string &what) {
  fprintf(stderr, "heddle litmus synth: %s\n", what.c_str());
  return kCommandFailed;
}

int CheckAll(const std::vector<SynthesisedTest> &tests, const Options &options) {
  std::vector<std::string> wrong(tests.size());
  ForAll(tests.size(), options.synth.jobs,
         [&](size_t i) { wrong[i] = CheckSynthesised(tests[i], options.synth); });
  int result = kNothingFound;
  for (const std::string &what : wrong)
    if (!what.empty()) {
      Complain(what);
      result = kFound;
    }
  if (result == kNothingFound)
    printf("\nchecked: all %zu tests are forbidden, minimal, and read back from their files\n",
           tests.size());
  return result;
}

int Run(Options options) {
  static const std::map<std::string, C11Model> kModels = {
      {"cxx20", C11Model::kCxx20},
      {"c11", C11Model::kC11},
      {"partial-sc", C11Model::kPartialSc},
      {"litmustestgen", C11Model::kLitmustestgen}};
  options.synth.axioms.model = kModels.at(options.axioms);
  // Its read-modify-writes need not be atomic, so an outcome does not tell the execution.
  if (options.axioms == "litmustestgen" && (options.check || !options.out.empty()))
    return Complain("--axioms=litmustestgen only counts and lists tests, for comparisons; name "
                    "other axioms with --check and --out");
  if (options.release_sequence == "cxx11")
    options.synth.axioms.release_sequence = ReleaseSequence::kCxx11;
  options.synth.fences = !options.no_fences;
  try {
    auto start = std::chrono::steady_clock::now();
    std::vector<SynthesisedTest> tests = Synthesise(options.synth);
    if (options.tied_threads)
      tests.erase(std::remove_if(tests.begin(), tests.end(),
                                 [](const SynthesisedTest &test) { return !HasTiedThreads(test); }),
                  tests.end());
    std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    if (options.list)
      for (const SynthesisedTest &test : tests)
        printf("%d %s %s\n", test.Size(), test.family.empty() ? "-" : test.family.c_str(),
               test.name.c_str());
    else
      PrintCounts(tests);
    if (!options.out.empty()) {
      size_t programs = WriteAll(tests, options);
      if (!options.list)
        printf("\n%zu programs in %s, each as .litmus and as .c\n", programs, options.out.c_str());
    }
    if (!options.list)
      fprintf(stderr, "Time %.2f\n", time.count());
    return options.check ? CheckAll(tests, options) : kNothingFound;
  } catch (const std::exception &error) {
    return Complain(error.what());
  }
}

} // namespace

std::function<int()> AddSynthCommand(CLI::App *litmus, CLI::App **subcommand) {
  auto options = std::make_shared<Options>();
  SynthOptions &synth_options = options->synth;
  synth_options.jobs = std::max(1u, std::thread::hardware_concurrency());
  CLI::App *synth = *subcommand = litmus->add_subcommand(
      "synth", "Makes all minimal litmus tests up to a size: those with an execution that C11 "
               "forbids, and allows as soon as an event is removed or a memory order weakened.");
  synth->add_option("--events", synth_options.max_events, "The size, with fences")
      ->check(CLI::Range(2, 8))
      ->capture_default_str();
  synth
      ->add_option("--out", options->out,
                   "Where to write the tests, as .litmus and as C11 without main (.c)")
      ->type_name("DIRECTORY");
  synth->add_flag("--list", options->list, "Prints size, family and name of each test, no counts");
  synth->add_flag("--check", options->check,
                  "Also checks each test anew: forbidden, minimal, and readable");
  AddWord(synth, "--axioms", &options->axioms, {"cxx20", "c11", "partial-sc", "litmustestgen"},
          "The standard that forbids");
  AddWord(synth, "--release-sequence", &options->release_sequence, {"cxx20", "cxx11"},
          "The standard that defines release sequences");
  synth->add_option("--max-rmws", synth_options.max_rmws, "Read-modify-writes in a test, at most")
      ->check(CLI::Range(0, 8))
      ->capture_default_str();
  synth->add_option("--min-threads", synth_options.min_threads, "Threads in a test, at least")
      ->check(CLI::Range(1, 8))
      ->capture_default_str();
  synth->add_option("--min-locations", synth_options.min_locations, "Locations in a test, at least")
      ->check(CLI::Range(1, 4))
      ->capture_default_str();
  synth->add_flag("--no-fences", options->no_fences, "Makes tests without fences only");
  synth->add_flag("--split-rmws", synth_options.split_rmws,
                  "Minimal also means: allowed with a read-modify-write split into a load and a "
                  "store");
  synth->add_flag("--tied-threads", options->tied_threads,
                  "Keeps only tests with threads that are the same but for their locations, and "
                  "not symmetric");
  synth->add_option("--jobs", synth_options.jobs, "Threads to use")->check(CLI::Range(1, 1024));
  synth->footer("Exits with 0, with 1 if --check finds a test that is not as it should be, and "
                "with 2 if something is wrong with the options or the files.");
  return [=] { return Run(*options); };
}

} // namespace heddle
