// Compares the engines with the oracle: the same states, no more and no fewer.
//
//   buffer with C++20's seq_cst                     = tsan20's axioms
//   buffer with C++11's seq_cst                     = tsan11's axioms
//   mograph                                         = its axioms
//   mograph, pruned conservatively after each store = its axioms
//   mograph, pruned aggressively                    within its axioms
//   mograph with C++11's seq_cst                    = C11Tester's axioms
//   mograph and buffer as they are in the runtime   = their axioms
//   buffer, with a history of two stores            within its axioms
//
// `buffer` has the release sequences of C++20 and of C++11 each time. With membarriers it is within
// its axioms, and there are none for C++11's seq_cst: see docs/model.md.
#ifndef HEDDLE_LITMUS_COMPARE_H
#define HEDDLE_LITMUS_COMPARE_H

#include "axiomatic.h"
#include "program.h"

#include <string>

namespace heddle::litmus {

// The axioms that mograph implements.
constexpr AxiomaticModel kMographAxioms = AxiomaticModel::kCxx20;

struct Comparison {
  // What is compared. `pruned` takes the least time, as it need not try all schedules.
  bool mograph = true, pruned = true, cxx11 = true, shipped = true, buffer = true;
  AxiomaticModel mograph_axioms = kMographAxioms;
};

// Empty if all agree. Otherwise what differs: the program as a litmus test, and
// the states that only one side has.
std::string CompareWithOracle(const Program &program, const Comparison &comparison = {});

} // namespace heddle::litmus

#endif // HEDDLE_LITMUS_COMPARE_H
