// When a path that has come to the beginning of a loop need not be followed any more.
#ifndef HEDDLE_LITMUS_HARDWARE_LOOPS_H
#define HEDDLE_LITMUS_HARDWARE_LOOPS_H

#include "machine.h"

namespace heddle::litmus::hardware {

// A path that has come somewhere.
struct Arrival {
  const MachineState &state;
  const std::vector<Event> &events;
  const std::vector<Incoming> &incoming;
  std::vector<int> answers; // what was chosen on the way
  int jumps = 0;            // back, on the way
  int steps = 0;
};

// All arrivals whose paths are followed.
class Arrivals {
public:
  // Whether everything that can follow can follow another one as well, under no more
  // constraints; what the rest reads is in `live`. If not, it is one of those that are
  // followed.
  bool IsCovered(const Arrival &arrival, const Live &live);
  // What is live has changed.
  void Clear() { followed_.clear(); }

private:
  struct Followed {
    MachineState state;
    std::vector<Event> events;
    std::vector<Incoming> incoming;
    std::vector<int> answers;
    int jumps, steps;
    Arrival View() const { return {state, events, incoming, answers, jumps, steps}; }
  };
  std::unordered_multimap<uint64_t, Followed> followed_; // by the values that are live
};

} // namespace heddle::litmus::hardware

#endif // HEDDLE_LITMUS_HARDWARE_LOOPS_H
