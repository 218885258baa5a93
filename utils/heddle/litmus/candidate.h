// A candidate execution, and the question of whether its seq_cst events can be
// ordered: what axiomatic.cpp enumerates and sc_order.cpp answers.
#ifndef HEDDLE_LITMUS_CANDIDATE_H
#define HEDDLE_LITMUS_CANDIDATE_H

#include "preexecution.h"
#include "relation.h"

#include <vector>

namespace heddle::litmus::axiomatic {

struct Candidate : PreExecution {
  explicit Candidate(size_t locations) : PreExecution(locations), mo_last(locations) {}

  Relation sb, sw, hb;            // by the release sequences that were asked for
  PerEvent<EventSet> mo_before{}; // by write: all writes before it in mo
  PerEvent<int> mo_previous{};    // by write: the one before it, or -1
  std::vector<int> mo_last;       // by location
};

// Looks for sc, the total order of the seq_cst events of a complete candidate.
//
// Nearly all conditions on sc are of the kind "if a sc b, then ...", where "..."
// is about rf, mo and hb and so is decided. Where it is false, and as sc is
// total, b sc a must hold. So the conditions become edges, and an sc exists if
// they make no cycle.
class ScOrder {
public:
  explicit ScOrder(const Candidate &candidate) : c_(candidate) {}

  // C++11, for kC11Tester and kTsan11. `past` is the transitive closure of what
  // must be acyclic together with sc, and has hb.
  bool ExistsInCxx11(const Relation &past);
  // C++20, for kCxx20 and kTsan20, which has such a `past`.
  bool ExistsInCxx20(const Relation *past);

  // After a search that succeeded: any total order with these edges is an sc.
  const Relation &Edges() const { return edges_; }

private:
  void AddPast(const Relation &past);
  void AddFenceRules();
  bool PlaceReads(EventSet reads);
  void AddStronglyHappensBefore();
  void AddCoherenceOrderedBefore();
  bool Acyclic() const { return edges_.Acyclic(c_.sc_events); }

  const Candidate &c_;
  Relation edges_;
};

} // namespace heddle::litmus::axiomatic

#endif // HEDDLE_LITMUS_CANDIDATE_H
