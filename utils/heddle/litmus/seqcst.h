// Random litmus tests for the rules of C++20 on seq_cst.
//
// CycleProgram makes cycles of any events. The rules that C++20 changed (P0668) show in
// few of them: they need several seq_cst events, in the right places, beside weaker
// ones, and often a detour over another thread. So here a cycle is made of links that
// are known to matter, and its orders are chosen for the cycle, not for each event.
//
// - A link leads from the event where the cycle enters a thread to the one where it
//   leaves:
//
//     lone          A                    enters and leaves in one event
//     pair          A-B                  program order
//     fenced        A-F-B                with a fence between
//     forwarded     A-A'-B               with a communication within the thread
//     passed        A-Wf+Rf-B            by a message to a second thread
//     passed fence  A-F-Wf+Rf-B          the same with a fence on either side: it is
//                   A-Wf+Rf-F-B          before B, or after A, in happens-before only
//     sequence      A-Wf+Uf+Rf-B         by a release sequence that a third continues
//
//   B may be at A's location, too.
// - From one link to the next leads a communication: the next event reads from the last
//   one (rf), overwrites what it read (fr) or what it wrote (co), or both read, and
//   somebody else's write comes between. What enters by a read and leaves by a write is
//   a read-modify-write, and so is any event now and then.
// - A program has mostly seq_cst fences, mostly seq_cst accesses, or both. The rest is
//   relaxed, acquire or release. Messages mostly synchronise: happens-before that is
//   no strongly-happens-before begins or ends with one. Two programs of three are
//   tight: each fence is seq_cst, and so are both sides of most communications between
//   links without a fence, but for rf, where release and acquire do.
// - If there is room, something is added: a write that comes between, a load that shows
//   the modification order, one more seq_cst fence.
//
// All compare-exchanges are strong: programs are also run on real threads, where the
// weak ones do not fail without a reason.
#ifndef HEDDLE_LITMUS_SEQCST_H
#define HEDDLE_LITMUS_SEQCST_H

#include "program.h"

#include <cstdint>

namespace heddle::litmus {

struct SeqCstParameters {
  int max_events = 8;  // of all threads, fences included; at least 2
  int max_threads = 4; // at least 2
  int max_locations = 4;
};

// The same program for the same seed and parameters, on any machine. Every location is
// written, and touched by two threads. All registers and locations are observed.
Program SeqCstProgram(uint64_t seed, const SeqCstParameters &parameters);

} // namespace heddle::litmus

#endif // HEDDLE_LITMUS_SEQCST_H
