// Litmus tests as a C program that runs them many times on this machine's own processor: how it
// does so stands in stress_runner.c, which becomes part of it.
#ifndef HEDDLE_LITMUS_COMPILE_STRESS_SOURCE_H
#define HEDDLE_LITMUS_COMPILE_STRESS_SOURCE_H

#include "../program.h"

#include <string>
#include <vector>

namespace heddle::litmus::compile {

// There must be a test.
std::string StressSource(const std::vector<const Program *> &programs);

} // namespace heddle::litmus::compile

#endif // HEDDLE_LITMUS_COMPILE_STRESS_SOURCE_H
