#ifndef HEDDLE_LITMUS_COMMAND_H
#define HEDDLE_LITMUS_COMMAND_H

#include <CLI/CLI.hpp>

#include <functional>

namespace heddle {

// Adds `heddle litmus` to the command. What it returns is to be run if it was
// asked for, and gives the exit code.
std::function<int()> AddLitmusCommand(CLI::App *heddle, CLI::App **subcommand);

} // namespace heddle

#endif // HEDDLE_LITMUS_COMMAND_H
