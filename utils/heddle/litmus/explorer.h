// Runs a litmus test through an engine of lib/heddle/model, with every choice
// that the schedule and the memory model leave open: which thread is next, which
// store a load reads, where a store goes in modification order, whether a weak
// compare-exchange fails. No thread is started. The engines are those that the runtime uses on real
// programs.
#ifndef HEDDLE_LITMUS_EXPLORER_H
#define HEDDLE_LITMUS_EXPLORER_H

#include "program.h"

#include <cstdint>
#include <stdexcept>

namespace heddle::litmus {

enum class EngineKind { kBuffer, kMograph };

struct ExploreOptions {
  EngineKind engine = EngineKind::kMograph;
  bool cxx11_release_sequence = false; // buffer only
  bool cxx11_seq_cst = false;          // C11Tester's rules, and tsan11's
  uint32_t history = 128;              // buffer: stores a location remembers
  bool prune = false;                  // mograph: conservative pruning after every store
  uint32_t window = 0;                 // mograph: aggressive pruning, stores kept
  // mograph, C++20: operations that read nothing come as soon as their thread is there.
  // When they come makes no difference there, as neither modification order nor S is the
  // order of execution: the states are the same, and the executions are fewer. Not with
  // membarriers: it matters what has come before one.
  bool reduce = true;
  bool shipped = false; // the engine as it is in the runtime: its clocks, records and intervals
  uint64_t max_executions = 0; // give up after so many; 0: never
};

constexpr int kMaxExploredThreads = 16;

// Every final state with the number of executions (sequences of choices) that
// end in it. Throws std::runtime_error for more threads
// than kMaxExploredThreads, and sets *complete, if given, to whether
// max_executions was not reached.
Outcome Explore(const Program &program, const ExploreOptions &options, bool *complete = nullptr);

} // namespace heddle::litmus

#endif // HEDDLE_LITMUS_EXPLORER_H
