#include "compare.h"

#include "explorer.h"
#include "printer.h"

namespace heddle::litmus {
namespace {

enum class Demand { kEqual, kWithin };

std::string Compare(const Program &program, const std::string &name, const Outcome &engine,
                    const Outcome &oracle, Demand demand) {
  std::string engine_only, oracle_only;
  for (const auto &[state, count] : engine.states)
    if (!oracle.states.count(state))
      engine_only += "  " + FormatState(program, state) + "\n";
  if (demand == Demand::kEqual)
    for (const auto &[state, count] : oracle.states)
      if (!engine.states.count(state))
        oracle_only += "  " + FormatState(program, state) + "\n";
  if (engine_only.empty() && oracle_only.empty())
    return "";
  std::string text = name + " and the oracle differ on\n" + PrintProgram(program);
  if (!engine_only.empty())
    text += "states of the engine that the axioms forbid:\n" + engine_only;
  if (!oracle_only.empty())
    text += "states that the axioms allow and the engine does not reach:\n" + oracle_only;
  return text;
}

// In `buffer` a membarrier has a later place in S than the axioms allow, in the threads that did
// not call it.
Demand OfBuffer(const Program &program) {
  return HasMembarrier(program) ? Demand::kWithin : Demand::kEqual;
}

std::string CompareBuffer(const Program &program) {
  std::string text;
  for (bool seq_cst : {false, true}) {
    if (seq_cst && HasMembarrier(program))
      break;
    for (bool release_sequence : {false, true}) {
      AxiomaticOptions axioms;
      axioms.model = seq_cst ? AxiomaticModel::kTsan11 : AxiomaticModel::kTsan20;
      axioms.release_sequence =
          release_sequence ? ReleaseSequence::kCxx11 : ReleaseSequence::kCxx20;
      const Outcome oracle = RunAxiomatic(program, axioms);
      ExploreOptions engine;
      engine.engine = EngineKind::kBuffer;
      engine.cxx11_seq_cst = seq_cst;
      engine.cxx11_release_sequence = release_sequence;
      const std::string name = std::string("buffer (seq_cst of ") + (seq_cst ? "cxx11" : "cxx20") +
                               ", release sequences of " + (release_sequence ? "cxx11" : "cxx20") +
                               ")";
      text += Compare(program, name, Explore(program, engine), oracle, OfBuffer(program));
      engine.history = 2;
      text += Compare(program, name + " with a history of two", Explore(program, engine), oracle,
                      Demand::kWithin);
    }
  }
  return text;
}

std::string CompareMograph(const Program &program, const Outcome &oracle) {
  ExploreOptions engine;
  engine.reduce = false;
  return Compare(program, "mograph", Explore(program, engine), oracle, Demand::kEqual);
}

std::string ComparePruned(const Program &program, const Outcome &oracle) {
  ExploreOptions engine;
  engine.prune = true;
  std::string text = Compare(program, "mograph, pruned conservatively", Explore(program, engine),
                             oracle, Demand::kEqual);
  for (uint32_t window : {1u, 2u}) {
    engine.window = window;
    text += Compare(program, "mograph, pruned aggressively", Explore(program, engine), oracle,
                    Demand::kWithin);
  }
  return text;
}

std::string CompareCxx11(const Program &program) {
  if (HasMembarrier(program))
    return "";
  AxiomaticOptions axioms;
  axioms.model = AxiomaticModel::kC11Tester;
  ExploreOptions engine;
  engine.cxx11_seq_cst = engine.prune = true;
  return Compare(program, "mograph (cxx11)", Explore(program, engine),
                 RunAxiomatic(program, axioms), Demand::kEqual);
}

std::string CompareShipped(const Program &program, const Outcome &mograph_oracle) {
  ExploreOptions engine;
  engine.shipped = engine.prune = true;
  std::string text = Compare(program, "mograph of the runtime", Explore(program, engine),
                             mograph_oracle, Demand::kEqual);
  AxiomaticOptions axioms;
  axioms.model = AxiomaticModel::kTsan20;
  engine.engine = EngineKind::kBuffer;
  return text + Compare(program, "buffer of the runtime", Explore(program, engine),
                        RunAxiomatic(program, axioms), OfBuffer(program));
}

} // namespace

std::string CompareWithOracle(const Program &program, const Comparison &comparison) {
  std::string text = comparison.buffer ? CompareBuffer(program) : "";
  AxiomaticOptions axioms;
  axioms.model = comparison.mograph_axioms;
  const Outcome oracle = RunAxiomatic(program, axioms);
  if (comparison.mograph)
    text += CompareMograph(program, oracle);
  if (comparison.pruned)
    text += ComparePruned(program, oracle);
  if (comparison.cxx11)
    text += CompareCxx11(program);
  if (comparison.shipped)
    text += CompareShipped(program, oracle);
  return text;
}

} // namespace heddle::litmus
