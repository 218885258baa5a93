#include "litmus_command.h"

#include "compile_command.h"
#include "litmus/axiomatic.h"
#include "litmus/dot.h"
#include "litmus/emit_cxx.h"
#include "litmus/explorer.h"
#include "litmus/parser.h"
#include "litmus/printer.h"
#include "litmus_assembly.h"
#include "litmus_comparison.h"
#include "litmus_options.h"
#include "litmus_random.h"
#include "stress_command.h"
#include "synth_command.h"

#include <chrono>
#include <cstdio>
#include <memory>
#include <stdexcept>

namespace heddle {
namespace {

using namespace litmus;

using Options = LitmusOptions;

constexpr int kOk = 0, kFailed = 2;

int Complain(const std::string &what) {
  fprintf(stderr, "heddle litmus: %s\n", what.c_str());
  return kFailed;
}

//===-- Running files -----------------------------------------------------===//

AxiomaticOptions AxiomsOf(const Options &options) {
  AxiomaticOptions axioms = AxiomsNamed(options.axioms);
  // An engine is drawn by the axioms that it implements.
  if (options.model == "buffer")
    axioms.model = AxiomaticModel::kTsan20;
  else if (options.model == "mograph")
    axioms.model = kMographAxioms;
  if (options.release_sequence == "cxx11")
    axioms.release_sequence = ReleaseSequence::kCxx11;
  return axioms;
}

Outcome RunModel(const Program &program, const Options &options) {
  Outcome outcome;
  if (options.model == "axiomatic") {
    outcome = RunAxiomatic(program, AxiomsOf(options));
  } else {
    ExploreOptions engine;
    engine.engine = options.model == "buffer" ? EngineKind::kBuffer : EngineKind::kMograph;
    engine.cxx11_release_sequence = options.release_sequence == "cxx11";
    outcome = Explore(program, engine);
  }
  ApplyFilter(program, &outcome);
  return outcome;
}

// Draws the first execution that satisfies the condition's proposition, or the
// first of all if none does.
std::string Draw(const Program &program, const Options &options) {
  std::string first, witness;
  ForEachConsistent(program, AxiomsOf(options), [&](const Execution &execution) {
    if (!Holds(program.filter, program, execution.state))
      return true;
    if (first.empty())
      first = DrawExecution(program, execution);
    if (Holds(program.condition, program, execution.state))
      witness = DrawExecution(program, execution);
    return witness.empty();
  });
  return witness.empty() ? first : witness;
}

std::string ModelName(const Options &options) {
  std::string name = options.model == "axiomatic" ? options.axioms : options.model;
  return options.release_sequence == "cxx11" ? name + "/cxx11" : name;
}

// A test of assembly is judged by the model of its processor.
int RunAssembly(const std::string &file, const Options &options) {
  if (options.dot)
    return Complain(file + ": --dot draws tests in C only");
  fputs(RunAssemblyFile(file).c_str(), stdout);
  return kOk;
}

int RunFile(const std::string &file, const Options &options) {
  if (IsAssemblyFile(file))
    return RunAssembly(file, options);
  Program program;
  ParseError error;
  if (!ParseFile(file, &program, &error))
    return Complain(error.ToString());
  if (options.dot) {
    fputs(Draw(program, options).c_str(), stdout);
    return kOk;
  }
  auto start = std::chrono::steady_clock::now();
  Outcome outcome = RunModel(program, options);
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  fputs(PrintResult(program, outcome, ModelName(options)).c_str(), stdout);
  printf("Time %s %.2f\n\n", program.name.c_str(), time.count());
  return kOk;
}

// All files as one program.
int EmitFiles(const std::vector<std::string> &files) {
  std::vector<Program> programs(files.size());
  for (size_t i = 0; i < files.size(); i++) {
    ParseError error;
    if (!ParseFile(files[i], &programs[i], &error))
      return Complain(error.ToString());
    if (programs[i].filter.kind != Proposition::Kind::kTrue)
      return Complain(files[i] + ": a program with real threads prints all states, and leaves "
                                 "none out: 'filter' is not supported with --emit-cxx");
  }
  fputs(EmitCxx(programs).c_str(), stdout);
  return kOk;
}

int Run(const Options &options) {
  if (options.generate) {
    if (options.out.empty())
      return Complain("--generate writes files; name a directory for them with --out");
    GenerateFiles(options);
    return kOk;
  }
  if (options.files.empty() && !options.all_events && !options.random)
    return Complain("no litmus test given; see heddle litmus --help");
  if (options.release_sequence == "cxx11" &&
      (options.model == "mograph" ||
       (options.model == "axiomatic" && options.axioms == "c11tester")))
    return Complain("mograph and c11tester have C++20's release sequences only: those of C++11 "
                    "depend on the modification order, which mograph leaves open. Use "
                    "--model=buffer, or --axioms=tsan11, cxx20, tsan20 or sc.");
  if (options.emit_cxx)
    return EmitFiles(options.files);
  if (options.herd) {
    for (const std::string &file : options.files)
      if (!IsAssemblyFile(file))
        return Complain(file + ": --herd compares tests of assembly only, whose first word is "
                               "AArch64, ARM, RISCV, X86 or X86_64");
    RequireHerd();
  }
  if (options.Compares())
    return RunComparisons(options);
  int worst = kOk;
  for (const std::string &file : options.files)
    worst = std::max(worst, RunFile(file, options));
  return worst;
}

// Several of a few words, separated by commas: what follows may be files.
void AddWords(CLI::App *command, const char *name, std::vector<std::string> *values,
              const std::vector<std::string> &words, const std::string &description) {
  command->add_option(name, *values, description)
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(words))
      ->type_name("WORD,...")
      ->default_str(CLI::detail::join(*values, ","));
}

} // namespace

std::function<int()> AddLitmusCommand(CLI::App *heddle, CLI::App **subcommand) {
  auto options = std::make_shared<Options>();
  CLI::App *litmus = heddle->add_subcommand(
      "litmus", "Runs litmus tests in herd's C format through a memory model, and those in its "
                "assembly formats through that of their processor, exhaustively.");
  litmus->add_option("files", options->files, "Litmus tests")->type_name("FILE");
  litmus->add_option("--model", options->model, "The engine, or the axioms themselves")
      ->check(CLI::IsMember({"buffer", "mograph", "axiomatic"}))
      ->capture_default_str();
  litmus
      ->add_option("--axioms", options->axioms,
                   "Which axioms, with --model=axiomatic; in comparisons, those for mograph")
      ->check(CLI::IsMember(kAxiomsWords))
      ->capture_default_str();
  litmus
      ->add_option("--release-sequence", options->release_sequence,
                   "The standard that defines release sequences")
      ->check(CLI::IsMember({"cxx20", "cxx11"}))
      ->capture_default_str();
  litmus->add_flag("--dot", options->dot,
                   "Draws an execution that satisfies the condition, for Graphviz");
  litmus->add_flag("--emit-cxx", options->emit_cxx,
                   "Prints a C++ program that runs the tests on real threads");
  litmus->add_flag("--compare", options->compare,
                   "Compares the engines with the axioms, and prints differences only");
  AddWords(litmus, "--engines", &options->engines, kEngineWords,
           "What is compared with the axioms; pruned is mograph with pruning");
  litmus->add_flag("--expectations", options->expectations,
                   "With --compare, also checks the states that the files expect");
  litmus->add_flag("--herd", options->herd,
                   "Compares the states of tests of assembly with those that herd7 finds");
  litmus
      ->add_option("--compare-axioms", options->compare_axioms,
                   "In comparisons, instead of the engines: on how many programs one of two sets "
                   "of axioms allows what the other forbids, and by how many kinds of difference")
      ->type_name("AXIOMS,AXIOMS");
  litmus->add_flag("--list", options->list,
                   "With --compare-axioms, also lists the kinds, each with the first program");
  litmus
      ->add_option("--compare-all", options->all_events,
                   "Compares on all programs of two and three threads up to so many events")
      ->type_name("EVENTS");
  AddWords(litmus, "--kinds", &options->kinds, kEventKindWords,
           "With --compare-all, what programs consist of");
  litmus->add_option("--compare-random", options->random, "Compares on so many random programs")
      ->type_name("COUNT");
  litmus
      ->add_option("--generate", options->generate,
                   "Writes so many random programs to files, and compares nothing")
      ->type_name("COUNT");
  litmus->add_option("--out", options->out, "Where --generate writes")->type_name("DIRECTORY");
  litmus->add_option("--events", options->events, "The size of random programs")
      ->check(CLI::Range(2, 16))
      ->capture_default_str();
  litmus
      ->add_option("--shape", options->shape,
                   "How random programs are made: event by event, around a cycle through all "
                   "threads, or around one in which C++20's rules on seq_cst show")
      ->check(CLI::IsMember({"uniform", "cycles", "seqcst"}))
      ->capture_default_str();
  litmus
      ->add_option("--membarriers", options->membarriers,
                   "The share of the fences of random programs that are membarriers, in percent")
      ->check(CLI::Range(0, 100))
      ->capture_default_str();
  litmus->add_option("--seed", options->seed, "The first random program's seed")
      ->capture_default_str();
  litmus
      ->add_option("--shard", options->shard,
                   "I/N, with I from 0 to N - 1: every N-th of all or of the random programs, from "
                   "number I on")
      ->type_name("I/N");
  litmus->add_option("--jobs", options->jobs, "Threads to use")->check(CLI::Range(1, 1024));
  *subcommand = litmus;
  struct Nested {
    CLI::App *app;
    std::function<int()> run;
  };
  auto nested = std::make_shared<std::vector<Nested>>();
  for (auto add : {AddSynthCommand, AddCompileCommand, AddStressCommand}) {
    Nested &each = nested->emplace_back();
    each.run = add(litmus, &each.app);
  }
  litmus->require_subcommand(0, 1);
  litmus->footer("Exits with 0, with 1 if a comparison finds a difference, and with 2 if a test "
                 "cannot be read.");
  return [options, nested] {
    for (const Nested &each : *nested)
      if (each.app->parsed())
        return each.run();
    try {
      return Run(*options);
    } catch (const std::exception &error) {
      return Complain(error.what());
    }
  };
}

} // namespace heddle
