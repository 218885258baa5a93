// Hardware memory models: which executions of several threads of machine code a
// processor may show, as axioms on relations over events, like the oracle's.
#ifndef HEDDLE_LITMUS_HARDWARE_MODEL_H
#define HEDDLE_LITMUS_HARDWARE_MODEL_H

#include "../relation.h"
#include "trace.h"

#include <functional>
#include <vector>

namespace heddle::litmus::hardware {

// A consistent execution, for drawing and for tests.
struct HardwareExecution {
  struct Event : hardware::Event {
    int thread = -1; // -1: an initial write
  };
  std::vector<Event> events; // initial writes by location, then thread by thread
  axiomatic::Relation po, addr, data, ctrl, rmw, rf, co, fr;
  State state;
};

// What to look for. Finding the states alone is much quicker: the search for a
// state ends with its first execution.
enum class Counting {
  kStates,     // the count of every state is 0, as is Outcome::executions
  kExecutions, // all executions are counted
};

// All final states, each with the number of executions that end in it if asked
// for. Throws std::length_error if an execution could have more than 64 events,
// and std::invalid_argument for a trace with a fence that is not the model's.
Outcome RunHardware(const HardwareProgram &program, Architecture model,
                    Counting counting = Counting::kStates);

// Calls `visit` for each consistent execution until it returns false. Returns
// whether there are no more.
bool ForEachHardwareExecution(const HardwareProgram &program, Architecture model,
                              const std::function<bool(const HardwareExecution &)> &visit);

// The model that judges this program: "AArch64", "Armv7", "AArch32", "RVWMO" or
// "x86-TSO". kArm is the model of Armv7, which is weaker, unless the code has what
// only Armv8 has: load-acquire, store-release, dmb ishld.
const char *ModelName(const HardwareProgram &program, Architecture model);

} // namespace heddle::litmus::hardware

#endif // HEDDLE_LITMUS_HARDWARE_MODEL_H
