// Draws an execution of machine code as a graph for Graphviz: a column per thread, the instructions
// with what they read or wrote, and po, dependencies, rf, co and fr as edges.
#ifndef HEDDLE_LITMUS_COMPILE_GRAPH_H
#define HEDDLE_LITMUS_COMPILE_GRAPH_H

#include "../hardware/model.h"

#include <string>

namespace heddle::litmus::compile {

std::string DrawHardware(const hardware::HardwareProgram &program,
                         const hardware::HardwareExecution &execution);

} // namespace heddle::litmus::compile

#endif // HEDDLE_LITMUS_COMPILE_GRAPH_H
