#include "synth_files.h"

#include "generator_parts.h"
#include "parser.h"
#include "printer.h"

#include <optional>

namespace heddle::litmus {
namespace {

using Kind = WholeExecution::Kind;

std::string EventText(const SynthesisedTest::Event &event) {
  static constexpr const char *kKinds[] = {"load of ", "store to ", "read-modify-write of ",
                                           "fence"};
  std::string text = kKinds[static_cast<int>(event.kind)];
  return event.kind == Kind::kFence ? text : text + LocationName(event.location);
}

// "P0: store to y: release -> relaxed", one for each step.
std::string WeakeningsText(const SynthesisedTest &test) {
  std::string text;
  for (const SynthesisedTest &weakened : Weakenings(test))
    for (size_t t = 0; t < test.threads.size(); t++)
      for (size_t i = 0; i < test.threads[t].size(); i++) {
        const SynthesisedTest::Event &event = test.threads[t][i];
        if (event.order != weakened.threads[t][i].order)
          text += "\n     P" + std::to_string(t) + ": " + EventText(event) + ": " +
                  std::string(OrderText(event.order)) + " -> " +
                  std::string(OrderText(weakened.threads[t][i].order));
      }
  return text;
}

// The oracle's name for the axioms, if it has them.
std::optional<AxiomaticOptions> OracleOf(const C11Axioms &axioms) {
  AxiomaticOptions options;
  options.release_sequence = axioms.release_sequence;
  if (axioms.model == C11Model::kCxx20)
    options.model = AxiomaticModel::kCxx20;
  else if (axioms.model == C11Model::kC11 && axioms.release_sequence == ReleaseSequence::kCxx20)
    options.model = AxiomaticModel::kC11Tester;
  else
    return std::nullopt;
  return options;
}

std::string CheckExecution(const WholeExecution &execution, const SynthOptions &options) {
  if (IsAllowed(execution, options.axioms))
    return "its execution is allowed";
  for (int e = 0; e < execution.size; e++) {
    if (!IsAllowed(execution.Without(e), options.axioms))
      return "its execution is forbidden without event " + std::to_string(e);
    if (options.split_rmws && execution.kind[e] == Kind::kRmw &&
        !IsAllowed(execution.Split(e), options.axioms))
      return "its execution is forbidden with event " + std::to_string(e) + " split";
  }
  return "";
}

std::string CheckProgram(const SynthesisedTest &test, const Program &program,
                         const SynthOptions &options) {
  Program read;
  ParseError error;
  if (!Parse(PrintSynthesised(test, program, options), program.name, &read, &error))
    return "its file cannot be read: " + error.ToString();
  if (!SameProgram(program, read))
    return "its file is read as another program";
  if (IsConditionAllowed(program, options.axioms))
    return "its outcome is allowed";
  if (auto oracle = OracleOf(options.axioms))
    for (const auto &[state, count] : RunAxiomatic(program, *oracle).states)
      if (Holds(program.condition, program, state))
        return "the oracle allows its outcome";
  return "";
}

} // namespace

std::string PrintSynthesised(const SynthesisedTest &test, const Program &program,
                             const SynthOptions &options) {
  std::string text = PrintProgram(program);
  std::string what = test.family.empty() ? "No named family" : "Family " + test.family;
  what += ", " + std::to_string(test.Size()) + " events. The outcome is forbidden.";
  size_t observers = program.threads.size() - test.threads.size();
  if (observers > 0)
    what += observers == 1 ? " The last thread only observes." : " The last threads only observe.";
  size_t line = text.find('\n') + 1;
  text.insert(line, "\"" + what + "\"\n");
  text += "\n(* Minimal: the forbidden execution is allowed without any one of the " +
          std::to_string(test.Size()) + " events" +
          (options.split_rmws && test.Rmws() ? ", with the read-modify-write split" : "");
  std::string weakenings = WeakeningsText(test);
  text += weakenings.empty() ? "." : ",\n   or with any one of these orders weakened:" + weakenings;
  return text + " *)\n";
}

std::string CheckSynthesised(const SynthesisedTest &test, const SynthOptions &options) {
  std::string wrong;
  auto check = [&](const std::string &found) {
    if (wrong.empty() && !found.empty())
      wrong = test.name + ": " + found;
  };
  for (const SynthesisedTest::Forbidden &forbidden : test.forbidden)
    check(CheckExecution(ExecutionOf(test, forbidden), options));
  for (const Program &program : Instantiate(test, options.axioms))
    check(CheckProgram(test, program, options));
  for (const SynthesisedTest &weakened : Weakenings(test)) {
    for (const SynthesisedTest::Forbidden &forbidden : weakened.forbidden)
      if (!IsAllowed(ExecutionOf(weakened, forbidden), options.axioms))
        check("its execution is forbidden as " + weakened.name);
    for (const Program &program : Instantiate(weakened, options.axioms))
      if (!IsConditionAllowed(program, options.axioms))
        check("its outcome is forbidden as " + program.name);
  }
  return wrong;
}

} // namespace heddle::litmus
