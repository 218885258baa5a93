// Compares the engines with the oracle: the same states, no more and no fewer.
//
//   buffer, release sequences of C++20 and C++11    = tsan11's axioms
//   mograph                                         = its axioms
//   mograph, pruned conservatively after each store = its axioms
//   mograph, pruned aggressively                    within its axioms
//   buffer, with a history of two stores            within tsan11's axioms
#ifndef HEDDLE_LITMUS_COMPARE_H
#define HEDDLE_LITMUS_COMPARE_H

#include "axiomatic.h"
#include "program.h"

#include <string>

namespace heddle::litmus {

// The axioms that mograph implements.
constexpr AxiomaticModel kMographAxioms = AxiomaticModel::kC11Tester;

struct Comparison {
  // What is compared. Most of the time goes into the last two.
  bool mograph = true, pruned = true, buffer = true;
  AxiomaticModel mograph_axioms = kMographAxioms;
};

// Empty if all agree. Otherwise what differs: the program as a litmus test, and
// the states that only one side has.
std::string CompareWithOracle(const Program &program, const Comparison &comparison = {});

} // namespace heddle::litmus

#endif // HEDDLE_LITMUS_COMPARE_H
