// A whole execution of a small straight-line program, given by its events, rf and
// mo, and whether C11 allows it.
//
// The oracle (axiomatic.h) builds executions from the past to the future, and so
// has only those where sequenced-before and reads-from make no cycle. The text of
// the standard has no such rule: it calls values out of thin air undesirable, and
// hardware does show load buffering with relaxed accesses. Who judges compilers
// must not call that forbidden. Here an execution is given, not built, and any
// relation may have a cycle that the axioms do not rule out.
//
// Initial values are no events here, but implicit writes, first in the modification
// order of their location and before everything in happens-before.
#ifndef HEDDLE_LITMUS_WHOLE_EXECUTION_H
#define HEDDLE_LITMUS_WHOLE_EXECUTION_H

#include "axiomatic.h"
#include "program.h"

#include <array>
#include <cstdint>

namespace heddle::litmus {

enum class C11Model {
  // C++20's text [intro.races], [atomics.order].
  kCxx20,
  // C++11's and C11's, where the order of the seq_cst operations is a total one
  // with the rules of 29.3p3 to p7 (with LWG 2130), as Batty et al. formalised it.
  kC11,
  // Batty, Donaldson and Wickerson, "Overhauling SC atomics in C11 and OpenCL"
  // (2016): seq_cst operations need only be partially ordered.
  kPartialSc,
  // kPartialSc as litmustestgen, the program of Lustig et al. (2017), has it, but with
  // reads of initial values. Such a read is before the writes of its location for the
  // seq_cst operations only. Coherence and atomicity know nothing of it, nor of a read
  // whose write has been removed: they compose rf and mo, and it has no rf. For
  // comparisons; no standard says so.
  kLitmustestgen,
};

struct C11Axioms {
  C11Model model = C11Model::kCxx20;
  ReleaseSequence release_sequence = ReleaseSequence::kCxx20;
  // Also asks for acyclic(sb | rf), as the oracle does.
  bool no_load_buffering = false;
};

struct WholeExecution {
  static constexpr int kMaxEvents = 24;
  enum class Kind : uint8_t { kRead, kWrite, kRmw, kFence };
  using Set = uint32_t;
  template <class T> using PerEvent = std::array<T, kMaxEvents>;

  // What a read reads from, if no event.
  static constexpr int kInitial = -1;
  // The write it read from has been removed. The read is still before the writes
  // that followed that one (`fr`), and after none.
  static constexpr int kRemoved = -2;

  int size = 0;
  PerEvent<Kind> kind{};
  PerEvent<int> thread{};
  PerEvent<int> location{}; // -1 for fences
  PerEvent<Order> order{};
  // Events after each: of the same thread, and of the writes of its location.
  PerEvent<Set> sb{}, mo{};
  PerEvent<int> rf{}; // by read
  PerEvent<Set> fr{}; // by read: writes, never itself

  bool Reads(int e) const { return kind[e] == Kind::kRead || kind[e] == Kind::kRmw; }
  bool Writes(int e) const { return kind[e] == Kind::kWrite || kind[e] == Kind::kRmw; }

  // From rf and mo.
  void SetFr();
  // The execution without an event.
  WholeExecution Without(int event) const;
  // With a read-modify-write as a load and a store, which share its order between
  // them: what acquires is the load's, what releases the store's.
  WholeExecution Split(int rmw) const;
};

bool IsAllowed(const WholeExecution &execution, const C11Axioms &axioms);

} // namespace heddle::litmus

#endif // HEDDLE_LITMUS_WHOLE_EXECUTION_H
