// Draws an execution as a graph for Graphviz: a column per thread, and the
// relations sb, rf, mo, fr, sc and hb (between threads) as edges. What follows from others by
// transitivity is left out.
#ifndef HEDDLE_LITMUS_DOT_H
#define HEDDLE_LITMUS_DOT_H

#include "axiomatic.h"
#include "program.h"

#include <string>

namespace heddle::litmus {

std::string DrawExecution(const Program &program, const Execution &execution);

} // namespace heddle::litmus

#endif // HEDDLE_LITMUS_DOT_H
