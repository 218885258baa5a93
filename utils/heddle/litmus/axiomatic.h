// The oracle: memory models as axioms on candidate executions.
//
// A candidate is what the threads did (which values their reads returned), the
// write each read reads from (rf) and the order of the writes of each location
// (mo). It is consistent under a model if its relations satisfy the model's
// axioms, for some order of the seq_cst events (sc) where the model has one.
// All candidates are tried. Nothing is executed, and nothing is shared with the
// engines that do execute: agreement between the two means something.
#ifndef HEDDLE_LITMUS_AXIOMATIC_H
#define HEDDLE_LITMUS_AXIOMATIC_H

#include "preexecution.h"
#include "program.h"
#include "relation.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace heddle::litmus {

enum class AxiomaticModel {
  // C++11 as formalised by Batty et al., with acyclic(hb | sc | rf): the model
  // of the C11Tester paper.
  kC11Tester,
  // The same with acyclic(sb | asw | rf | mo | sc): what an engine that performs
  // stores in modification order can show.
  kTsan11,
  // C++20, with acyclic(sb | rf).
  kCxx20,
  // C++20, with acyclic(sb | asw | rf | mo | sc).
  kTsan20,
  // Sequential consistency, whatever the orders say.
  kSc,
};

enum class ReleaseSequence {
  kCxx20, // a write, and the read-modify-writes that follow it
  kCxx11, // and the later writes of the thread that began it
};

struct AxiomaticOptions {
  AxiomaticModel model = AxiomaticModel::kC11Tester;
  ReleaseSequence release_sequence = ReleaseSequence::kCxx20;
  // Stop after this many candidates, complete or found impossible halfway. 0:
  // never.
  uint64_t max_candidates = 0;
};

// A consistent execution, for drawing.
struct Execution {
  using Event = axiomatic::Event;
  using Relation = axiomatic::Relation;

  // The initial writes in the order of Program::locations, then the events of
  // the first thread in sequenced-before order, of the second, and so on.
  std::vector<Event> events;
  Relation sb;  // sequenced before, transitive
  Relation asw; // additionally synchronizes with: initial writes before the rest
  Relation rf;  // reads from: from the write to the read
  Relation mo;  // modification order, transitive
  Relation sw;  // synchronizes with, between threads
  Relation hb;  // happens before
  // One total order of the seq_cst events that satisfies the model, transitive.
  // Empty under kSc, which has none.
  Relation sc;
  State state;
};

// All final states, each with the number of consistent executions that end in
// it. Two candidates that differ only in sc are one execution. Sets *complete,
// if given, to whether max_candidates was not reached. Throws std::length_error
// if an execution could have more than 64 events.
Outcome RunAxiomatic(const Program &program, const AxiomaticOptions &options,
                     bool *complete = nullptr);

// Calls `visit` for each consistent execution until it returns false. Returns
// whether there are no more, neither for `visit` nor for max_candidates.
bool ForEachConsistent(const Program &program, const AxiomaticOptions &options,
                       const std::function<bool(const Execution &)> &visit);

} // namespace heddle::litmus

#endif // HEDDLE_LITMUS_AXIOMATIC_H
