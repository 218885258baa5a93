#ifndef HEDDLE_COMPILE_COMMAND_H
#define HEDDLE_COMPILE_COMMAND_H

#include <CLI/CLI.hpp>

#include <functional>

namespace heddle {

// Adds `heddle litmus compile`, as AddLitmusCommand does.
std::function<int()> AddCompileCommand(CLI::App *litmus, CLI::App **subcommand);

} // namespace heddle

#endif // HEDDLE_COMPILE_COMMAND_H
