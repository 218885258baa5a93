// The shapes of tests: what the threads do, without memory orders.
//
// Each comes once up to renaming of threads and locations. Left out is what no
// minimal test has:
//
// - a location that one thread alone touches, or that nobody writes: its accesses
//   are ordered with the rest by sb only, which is transitive, so that without them
//   every cycle is still there (a test of one thread is the exception);
// - a fence at a thread's beginning or end: it has nothing to order.
#ifndef HEDDLE_LITMUS_SYNTH_SHAPES_H
#define HEDDLE_LITMUS_SYNTH_SHAPES_H

#include "whole_execution.h"

#include <functional>
#include <vector>

namespace heddle::litmus {

struct Shape {
  struct Event {
    WholeExecution::Kind kind;
    int location; // -1 for fences
    bool operator==(const Event &other) const {
      return kind == other.kind && location == other.location;
    }
  };
  std::vector<int> sizes;    // of the threads, the longest first
  std::vector<Event> events; // thread by thread
  int locations = 0;
  // The ways to rename threads and locations that change nothing, by event: the one
  // that takes its place. The identity is not among them.
  std::vector<std::vector<int>> symmetries;
};

struct ShapeLimits {
  int events = 4;
  int min_threads = 2;
  int max_rmws = 1;
  bool fences = true;
  int min_locations = 1;
};

// All with exactly so many events, always in the same order.
std::vector<Shape> Shapes(const ShapeLimits &limits);

} // namespace heddle::litmus

#endif // HEDDLE_LITMUS_SYNTH_SHAPES_H
