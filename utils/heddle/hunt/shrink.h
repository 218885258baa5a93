// Looks for a simpler execution that shows the same: with fewer preemptions and fewer stale reads.
//
// An execution of schedule=random has a switch after every other operation, and most have nothing
// to do with what was found. Other strategies are tried that switch seldom, or that read what is
// new, each with many seeds: a bug that needs one preemption shows in many executions that have
// few. Who has shown it at a lower cost has more turns (portfolio.h). What comes out is an
// execution with a seed of its own, recorded as any other.
#ifndef HEDDLE_HUNT_SHRINK_H
#define HEDDLE_HUNT_SHRINK_H

#include "executor.h"
#include "findings.h"

#include <cstdint>

namespace heddle::hunt {

struct ShrinkBudget {
  uint64_t runs = 0;
  double seconds = 15; // an execution may be long
};

struct ShrinkOutcome {
  bool simpler = false;
  Options options; // of the strategy, with the seed
  uint64_t seed = 0;
  Cost cost;
  uint64_t runs = 0;
};

// `base` is for all executions, `last` overrides what is tried; `engine` is what weak_memory= is.
// `wanted` has shown at `cost`.
ShrinkOutcome Shrink(Executor &executor, const Options &base, const Options &last,
                     const std::string &engine, const Observation &wanted, const Cost &cost,
                     int report_code, const ShrinkBudget &budget);

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_SHRINK_H
