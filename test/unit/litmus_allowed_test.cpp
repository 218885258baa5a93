// The outcomes that C11 allows. The oracle is another way to say the same, but for
// load buffering: with it ruled out, both must agree on every small program.

#include "heddle/litmus/allowed.h"
#include "heddle/litmus/axiomatic.h"
#include "heddle/litmus/cycles.h"
#include "heddle/litmus/generator.h"
#include "heddle/litmus/printer.h"
#include "litmus_testing.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace {
using namespace heddle::litmus;

bool Allows(const std::string &text, const C11Axioms &axioms = {}) {
  Program program = Parsed(text);
  for (const auto &[state, count] : AllowedOutcomes(program, axioms).states)
    if (Holds(program.condition, program, state))
      return true;
  return false;
}

struct Pair {
  C11Axioms ours;
  AxiomaticOptions theirs;
};

std::vector<Pair> Pairs() {
  std::vector<Pair> pairs;
  auto add = [&](C11Model ours, AxiomaticModel theirs, ReleaseSequence sequence) {
    Pair pair;
    pair.ours.model = ours;
    pair.theirs.model = theirs;
    pair.ours.release_sequence = pair.theirs.release_sequence = sequence;
    pair.ours.no_load_buffering = true;
    pairs.push_back(pair);
  };
  add(C11Model::kCxx20, AxiomaticModel::kCxx20, ReleaseSequence::kCxx20);
  add(C11Model::kCxx20, AxiomaticModel::kCxx20, ReleaseSequence::kCxx11);
  add(C11Model::kC11, AxiomaticModel::kC11Tester, ReleaseSequence::kCxx20);
  return pairs;
}

void ExpectSame(const Program &program) {
  for (const Pair &pair : Pairs()) {
    Outcome ours = AllowedOutcomes(program, pair.ours);
    Outcome theirs = RunAxiomatic(program, pair.theirs);
    ASSERT_EQ(ours.states, theirs.states) << PrintProgram(program);
  }
}

TEST(LitmusAllowed, AgreesWithTheOracleOnAllSmallPrograms) {
  GeneratorParameters parameters = LoadsStoresExchangesAndFences();
  parameters.max_threads = 3;
  // With four events, only each seventh.
  for (int events : {3, 4}) {
    parameters.max_events = parameters.max_events_per_thread = events;
    Generator generator(parameters);
    Program program;
    int stride = events == 3 ? 1 : 7;
    while (generator.Next(&program)) {
      ExpectSame(program);
      if (HasFatalFailure())
        return;
      for (int i = 1; i < stride && generator.Skip(); i++)
        ;
    }
  }
}

TEST(LitmusAllowed, AgreesWithTheOracleOnRandomPrograms) {
  RandomParameters parameters;
  parameters.if_percent = 0;
  parameters.dependency_percent = 20;
  parameters.events.max_events = 6;
  CycleParameters cycles;
  cycles.max_events = 6;
  for (uint64_t seed = 1; seed <= 150; seed++) {
    ExpectSame(RandomProgram(seed, parameters));
    ExpectSame(CycleProgram(seed, cycles));
    if (HasFatalFailure())
      return;
  }
}

constexpr char kLoadBuffering[] = R"(C LB
{ x = 0; y = 0; }
P0(atomic_int *x, atomic_int *y) {
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
  atomic_store_explicit(y, 1, memory_order_relaxed);
}
P1(atomic_int *x, atomic_int *y) {
  int r0 = atomic_load_explicit(y, ORDER);
  atomic_store_explicit(x, 1, memory_order_relaxed);
}
exists (0:r0=1 /\ 1:r0=1)
)";

TEST(LitmusAllowed, LoadBuffering) {
  C11Axioms strict;
  strict.no_load_buffering = true;
  EXPECT_TRUE(
      Allows(std::string(kLoadBuffering)
                 .replace(std::string(kLoadBuffering).find("ORDER"), 5, "memory_order_relaxed")));
  EXPECT_FALSE(
      Allows(std::string(kLoadBuffering)
                 .replace(std::string(kLoadBuffering).find("ORDER"), 5, "memory_order_relaxed"),
             strict));
  // Acquire alone synchronizes with nothing.
  EXPECT_TRUE(
      Allows(std::string(kLoadBuffering)
                 .replace(std::string(kLoadBuffering).find("ORDER"), 5, "memory_order_acquire")));
}

TEST(LitmusAllowed, NoValuesOutOfThinAir) {
  Program program = Parsed(R"(C LB+data
{ x = 0; y = 0; }
P0(atomic_int *x, atomic_int *y) {
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
  atomic_store_explicit(y, r0, memory_order_relaxed);
}
P1(atomic_int *x, atomic_int *y) {
  int r0 = atomic_load_explicit(y, memory_order_relaxed);
  atomic_store_explicit(x, r0, memory_order_relaxed);
}
exists (0:r0=1)
)");
  Outcome outcome = AllowedOutcomes(program);
  ASSERT_EQ(outcome.states.size(), 1u);
  EXPECT_EQ(outcome.states.begin()->first, State{0});
}

TEST(LitmusAllowed, RefusesWhatItCannotJudge) {
  EXPECT_THROW(AllowedOutcomes(Parsed("C test\n{ x = 0; }\nP0(atomic_int *x) {\n"
                                      "int r0 = atomic_load_explicit(x, memory_order_relaxed);\n"
                                      "if (r0) { atomic_store_explicit(x, 2, "
                                      "memory_order_relaxed); } }\nexists (0:r0=0)\n")),
               std::invalid_argument);
}

} // namespace
