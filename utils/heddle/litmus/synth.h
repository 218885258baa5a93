// Synthesis of all minimal litmus tests of C11 up to a size.
//
// A test is minimal if it has an execution that the model forbids, and that becomes
// allowed when any one of its events is removed, or any one memory order is weakened
// by one step. Of the execution, rf and mo stay as far as both ends are still there.
// After Lustig, Wright, Papakonstantinou and Giroux, "Automated synthesis of
// comprehensive memory model litmus test suites" (2017); docs/synthesis.md says more.
//
// Tests have atomic accesses and fences only, no branches and no dependencies.
// Initial values are implicit writes, first in modification order.
#ifndef HEDDLE_LITMUS_SYNTH_H
#define HEDDLE_LITMUS_SYNTH_H

#include "program.h"
#include "whole_execution.h"

#include <string>
#include <vector>

namespace heddle::litmus {

struct SynthOptions {
  int min_events = 2;
  int max_events = 4; // fences count; a read-modify-write is one
  int min_threads = 2;
  int max_rmws = 1;
  int min_locations = 1;
  bool fences = true;
  // The third relaxation: a read-modify-write split into a load and a store must
  // allow the execution, too.
  bool split_rmws = false;
  C11Axioms axioms;
  unsigned jobs = 1;
};

// A test without values: what its threads do, and the executions of it that are
// forbidden, each minimal. The events are numbered thread by thread.
struct SynthesisedTest {
  struct Event {
    WholeExecution::Kind kind;
    int location; // 0, 1, ... in the order they appear; -1 for fences
    Order order;
  };
  struct Forbidden {
    std::vector<int> rf;              // by event; kInitial also where it is no read
    std::vector<std::vector<int>> mo; // by location: its writes in order
    bool operator<(const Forbidden &other) const {
      return rf != other.rf ? rf < other.rf : mo < other.mo;
    }
  };

  // "Wx.rlx-Wy.rel+Ry.acq-Rx.rlx": unique, and the same for the same test always.
  std::string name;
  // "MP", or "" if it belongs to none of the named ones.
  std::string family;
  std::vector<std::vector<Event>> threads;
  std::vector<Forbidden> forbidden; // at least one, sorted

  int Size() const;
  int Rmws() const;
};

// In order of size, then of how the test is written. Does not depend on `jobs`.
std::vector<SynthesisedTest> Synthesise(const SynthOptions &options);

// Whether the test has threads that are the same but for their locations, and is another
// text with these in another order. litmustestgen sorts threads by what they do, locations
// aside, and so has two or more names for such a test.
bool HasTiedThreads(const SynthesisedTest &test);

// One of its forbidden executions.
WholeExecution ExecutionOf(const SynthesisedTest &test,
                           const SynthesisedTest::Forbidden &forbidden);

// The tests with one memory order weakened by one step. Their executions are allowed.
std::vector<SynthesisedTest> Weakenings(const SynthesisedTest &test);

// The test with concrete values: one program if it has no read-modify-write, else
// one for each of exchange, fetch_add, fetch_sub, fetch_or, fetch_xor, fetch_and,
// and one or more with compare_exchange_strong (for each value that it finds in a
// forbidden execution). The program's condition is the forbidden outcome; `observed`
// is every register, and every location with more than one write. The name is the family's, if any,
// the test's and, if there is a read-modify-write, the function's:
// "MP.Wx.rlx-Uy.rel+Ry.acq-Rx.rlx.fetch_add".
//
// If final values and registers do not tell the forbidden execution from an allowed
// one, because a location has more than two writes, threads are added that observe
// the location.
std::vector<Program> Instantiate(const SynthesisedTest &test, const C11Axioms &axioms = {});

// Whether some allowed execution ends in a state where the condition's proposition
// holds. Never for what Instantiate made under the same axioms.
bool IsConditionAllowed(const Program &program, const C11Axioms &axioms = {});

} // namespace heddle::litmus

#endif // HEDDLE_LITMUS_SYNTH_H
