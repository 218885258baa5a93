#ifndef HEDDLE_STRESS_COMMAND_H
#define HEDDLE_STRESS_COMMAND_H

#include <CLI/CLI.hpp>

#include <functional>

namespace heddle {

// Adds `heddle litmus stress`, as AddLitmusCommand does.
std::function<int()> AddStressCommand(CLI::App *litmus, CLI::App **subcommand);

} // namespace heddle

#endif // HEDDLE_STRESS_COMMAND_H
