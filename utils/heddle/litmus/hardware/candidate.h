// A candidate execution of machine code, and what a model is to the enumeration:
// a judge of candidates.
//
// Candidates that come to a judge are coherent (po-loc, rf, co and fr of each
// location are acyclic together) and atomic (no write of another thread between
// the two halves of a read-modify-write): all models here ask for both, so both
// are built into the enumeration (coherence.cpp).
#ifndef HEDDLE_LITMUS_HARDWARE_CANDIDATE_H
#define HEDDLE_LITMUS_HARDWARE_CANDIDATE_H

#include "algebra.h"
#include "model.h"

#include <initializer_list>
#include <memory>
#include <vector>

namespace heddle::litmus::hardware {

struct Candidate {
  using Event = HardwareExecution::Event;

  // One trace per thread. Throws std::length_error for more than 64 events.
  Candidate(const HardwareProgram &program, const std::vector<const Trace *> &traces);

  int Size() const { return static_cast<int>(events.size()); }
  EventSet Accesses() const { return reads | writes; }
  EventSet Flagged(uint32_t flags) const; // the accesses that have any of the flags
  EventSet Fences(Fence kind) const;
  // The part of a relation that stays in a thread, and the part that does not. An
  // initial write is in no thread.
  Relation Internal(const Relation &relation) const { return relation & same_thread; }
  Relation External(const Relation &relation) const { return Without(relation, same_thread); }

  // What the traces say.
  std::vector<Event> events; // initial writes by location, then thread by thread
  EventSet reads = 0, writes = 0;
  Relation po, po_loc, same_thread, addr, data, ctrl, rmw;

  // What is chosen. While not all locations have been chosen these are smaller.
  Relation rf, co, fr;
};

// The axioms of a model beyond coherence and atomicity. They must be monotone: an
// execution that is inconsistent stays so when rf, co and fr grow, so that a part of
// a candidate can be rejected.
class Judge {
public:
  virtual ~Judge() = default;
  // Called for each combination of traces, before rf, co and fr are chosen.
  virtual void Prepare(const Candidate &candidate) = 0;
  virtual bool Consistent(const Candidate &candidate) const = 0;
};

std::unique_ptr<Judge> MakeAArch64Judge();
std::unique_ptr<Judge> MakeArmv7Judge();
std::unique_ptr<Judge> MakeRiscVJudge();
std::unique_ptr<Judge> MakeX86Judge();

// Throws std::invalid_argument if there is a fence of another kind.
void RequireFences(const Candidate &candidate, std::initializer_list<Fence> known,
                   const char *model);

// Calls `visit` for every combination of traces, one per thread, in which each value
// that is read may have been written by someone, until it returns false. Returns
// whether there are no more.
bool ForEachCombination(const HardwareProgram &program,
                        const std::function<bool(const std::vector<const Trace *> &)> &visit);

// One way in which the accesses to a location may fit together.
struct LocationChoice {
  std::vector<int> order;                   // co: the writes, the initial one first
  std::vector<std::pair<int, int>> sources; // rf: a write and its reader
};

// All ways that are coherent and atomic.
std::vector<LocationChoice> ChoicesOf(const Candidate &candidate, int location);

// Adds the choice to rf, co and fr.
void Apply(const LocationChoice &choice, Candidate *candidate);

} // namespace heddle::litmus::hardware

#endif // HEDDLE_LITMUS_HARDWARE_CANDIDATE_H
