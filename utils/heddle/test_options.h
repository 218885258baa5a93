// The options of `heddle litmus compile` and `heddle litmus stress` that say which tests.
#ifndef HEDDLE_TEST_OPTIONS_H
#define HEDDLE_TEST_OPTIONS_H

#include "litmus/compile/tests.h"

#include <CLI/CLI.hpp>

namespace heddle {

void AddTestOptions(CLI::App *command, litmus::compile::TestSelection *selection);

} // namespace heddle

#endif // HEDDLE_TEST_OPTIONS_H
